"""Each task seen as a choice between its two cheapest labels and all others, so that looking ahead stays small."""

from dataclasses import dataclass

import numpy as np

from quorate.data.costs import Costs
from quorate.decision.belief import Outlook
from quorate.inference.kernels import SMALLEST
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Narrow:
    """An outlook over two classes, or over three: the cheapest label, the next, and the others as one. Tasks come last.

    belief: (n_levels, 3, n_tasks). answers: (n_levels, 3 true, 3 said, n_tasks, or 1 where all are alike).
    costs: (3 true, 3 decided, or one more where "unclassifiable" is a decision, n_tasks or 1).
    """

    belief: Array
    answers: Array
    costs: Array
    vote_discount: float


def narrowed(outlook: Outlook, costs: Costs) -> Narrow:
    """The narrow outlook of every task; of two classes nothing is lost. Where tasks deceive, its classes are looks."""
    n_tasks, n_levels, n_classes = outlook.belief.shape
    if n_classes == 2:
        belief = np.ascontiguousarray(outlook.belief.transpose(1, 2, 0))
        matrix = costs.matrix[..., None]
        if outlook.deception is not None:
            matrix = np.stack([_risks(outlook, costs, np.broadcast_to(z, (n_tasks, 2))).T for z in np.eye(2)])
        return Narrow(belief, outlook.answers[..., None], _decisions(matrix, costs), outlook.vote_discount)
    order = np.argsort(costs.risks(outlook.probs), axis=1, kind="stable")
    row, first, second, third = np.arange(n_tasks), order[:, 0], order[:, 1], order[:, 2]
    rest = np.maximum(outlook.belief, SMALLEST)  # belief in the other classes
    rest[row, :, first] = rest[row, :, second] = 0
    others = rest.sum(axis=2)
    shares = (rest / others[..., None]).transpose(1, 2, 0)  # (n_levels, true, n_tasks)
    belief = np.stack([outlook.belief[row, :, first].T, outlook.belief[row, :, second].T, others.T], axis=1)

    answers = np.empty((n_levels, 3, 3, n_tasks))
    for said, named in enumerate((first, second)):
        to_named = outlook.answers[:, :, named]  # (n_levels, true, n_tasks)
        answers[:, 0, said] = to_named[:, first, row]
        answers[:, 1, said] = to_named[:, second, row]
        answers[:, 2, said] = (to_named * shares).sum(axis=1)
    answers[:, :, 2] = np.maximum(1 - answers[:, :, 0] - answers[:, :, 1], SMALLEST)

    mix = rest.sum(axis=1) / others.sum(axis=1, keepdims=True)  # of the others, over all levels
    eye, labels = np.eye(n_classes), np.stack([first, second, third])
    three = np.stack([_risks(outlook, costs, looks)[row, labels] for looks in (eye[first], eye[second], mix)])
    return Narrow(belief, answers, _decisions(three, costs), outlook.vote_discount)


def _risks(outlook: Outlook, costs: Costs, looks: Array) -> Array:
    """Expected cost of every label if tasks look like these classes: (n_tasks, n_classes)."""
    return costs.risks(outlook.truth(looks))


def _decisions(matrix: Array, costs: Costs) -> Array:
    """The costs with one more decision, where no label needs to be given."""
    if costs.unclassifiable is None:
        return matrix
    given_up = np.full((matrix.shape[0], 1, matrix.shape[2]), costs.unclassifiable)
    return np.concatenate([matrix, given_up], axis=1)
