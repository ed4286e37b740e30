"""Beliefs narrowed to the two cheapest labels and all others, so that looking ahead stays cheap."""

from dataclasses import dataclass

import numpy as np

from quorate.data.costs import Costs
from quorate.decision.belief import Belief
from quorate.inference.kernels import SMALLEST
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class NarrowBelief:
    """A belief over two classes, or over three: the cheapest label, the next, and all others as one. Tasks come last.

    Attributes:
        joint: (n_levels, 3, n_tasks), probability of each level and class.
        answers: (n_levels, 3 true, 3 answers, n_tasks, or 1 where all tasks have the same).
        costs: (3 true, 3 decisions, or one more where "unclassifiable" is a decision, n_tasks or 1).
        vote_discount: see `Belief`.
    """

    joint: Array
    answers: Array
    costs: Array
    vote_discount: float


def narrow_belief(belief: Belief, costs: Costs) -> NarrowBelief:
    """Return the narrowed belief about every task; with two classes nothing is lost.

    Where tasks may be deceptive, its classes are those that tasks look like.
    """
    n_tasks, n_levels, n_classes = belief.joint.shape
    if n_classes == 2:
        joint = np.ascontiguousarray(belief.joint.transpose(1, 2, 0))
        matrix = costs.matrix[..., None]
        if belief.deception is not None:
            matrix = np.stack([_risks(belief, costs, np.broadcast_to(z, (n_tasks, 2))).T for z in np.eye(2)])
        return NarrowBelief(joint, belief.answers[..., None], _with_no_label(matrix, costs), belief.vote_discount)
    order = np.argsort(costs.risks(belief.probs), axis=1, kind="stable")
    row, first, second, third = np.arange(n_tasks), order[:, 0], order[:, 1], order[:, 2]
    rest = np.maximum(belief.joint, SMALLEST)  # probability of the other classes
    rest[row, :, first] = rest[row, :, second] = 0
    others = rest.sum(axis=2)
    shares = (rest / others[..., None]).transpose(1, 2, 0)  # (n_levels, true, n_tasks)
    joint = np.stack([belief.joint[row, :, first].T, belief.joint[row, :, second].T, others.T], axis=1)

    answers = np.empty((n_levels, 3, 3, n_tasks))
    for answer, label in enumerate((first, second)):
        to_label = belief.answers[:, :, label]  # (n_levels, true, n_tasks)
        answers[:, 0, answer] = to_label[:, first, row]
        answers[:, 1, answer] = to_label[:, second, row]
        answers[:, 2, answer] = (to_label * shares).sum(axis=1)
    answers[:, :, 2] = np.maximum(1 - answers[:, :, 0] - answers[:, :, 1], SMALLEST)

    mix = rest.sum(axis=1) / others.sum(axis=1, keepdims=True)  # of the others, over all levels
    eye, labels = np.eye(n_classes), np.stack([first, second, third])
    three = np.stack([_risks(belief, costs, looks)[row, labels] for looks in (eye[first], eye[second], mix)])
    return NarrowBelief(joint, answers, _with_no_label(three, costs), belief.vote_discount)


def _risks(belief: Belief, costs: Costs, looks: Array) -> Array:
    """Return the expected cost of every label if tasks look like these classes: (n_tasks, n_classes)."""
    return costs.risks(belief.truth(looks))


def _with_no_label(matrix: Array, costs: Costs) -> Array:
    """Return the costs with the decision "unclassifiable" added, where it is allowed."""
    if costs.unclassifiable is None:
        return matrix
    no_label = np.full((matrix.shape[0], 1, matrix.shape[2]), costs.unclassifiable)
    return np.concatenate([matrix, no_label], axis=1)
