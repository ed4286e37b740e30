"""Each task seen as a choice between its two cheapest labels and all others, so that looking ahead stays small."""

from dataclasses import dataclass

import numpy as np

from quorate.costs import Costs
from quorate.kernels import SMALLEST
from quorate.outlook import Outlook
from quorate.results import Array


@dataclass(frozen=True, eq=False)
class Narrow:
    """An outlook over two classes, or over three: the cheapest label, the next, and the others as one.

    belief: (n_tasks, n_levels, 3). answers: (n_tasks, n_levels, 3 true, 3 said). costs: (n_tasks, 3 true, 3 decided, or
    one more where "unclassifiable" is a decision).
    """

    belief: Array
    answers: Array
    costs: Array
    sway: float


def narrowed(outlook: Outlook, costs: Costs) -> Narrow:
    """The narrow outlook of every task; of two classes nothing is lost."""
    n_tasks, n_levels, n_classes = outlook.belief.shape
    if n_classes == 2:
        answers = np.broadcast_to(outlook.answers, (n_tasks, *outlook.answers.shape))
        return Narrow(
            outlook.belief, answers, _decisions(np.broadcast_to(costs.matrix, (n_tasks, 2, 2)), costs), outlook.sway
        )
    order = np.argsort(costs.risks(outlook.probs), axis=1, kind="stable")
    row, first, second, third = np.arange(n_tasks), order[:, 0], order[:, 1], order[:, 2]
    rest = outlook.belief.copy()  # belief in the other classes
    rest[row, :, first] = rest[row, :, second] = 0
    others = rest.sum(axis=2)
    belief = np.stack([outlook.belief[row, :, first], outlook.belief[row, :, second], others], axis=2)
    shares = np.maximum(rest, SMALLEST) / np.maximum(rest, SMALLEST).sum(axis=2, keepdims=True)

    answers = np.empty((n_tasks, n_levels, 3, 3))
    for said, named in enumerate((first, second)):
        to_named = outlook.answers[:, :, named].transpose(2, 0, 1)  # (n_tasks, n_levels, true)
        answers[:, :, 0, said] = to_named[row, :, first]
        answers[:, :, 1, said] = to_named[row, :, second]
        answers[:, :, 2, said] = (to_named * shares).sum(axis=2)
    answers[..., 2] = np.maximum(1 - answers[..., 0] - answers[..., 1], SMALLEST)

    by_class = shares.mean(axis=1)  # the others' mix, as the levels agree on it
    chosen = costs.matrix[:, np.stack([first, second, third])].transpose(2, 0, 1)  # (n_tasks, true, 3 decided)
    three = np.stack([chosen[row, first], chosen[row, second], np.einsum("nk,nkd->nd", by_class, chosen)], axis=1)
    return Narrow(belief, answers, _decisions(three, costs), outlook.sway)


def _decisions(matrix: Array, costs: Costs) -> Array:
    if costs.unclassifiable is None:
        return matrix
    given_up = np.full((*matrix.shape[:2], 1), costs.unclassifiable)
    return np.concatenate([matrix, given_up], axis=2)
