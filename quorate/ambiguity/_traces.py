"""What scores read from a trace: margins over the epochs of a training, and what was said at its end."""

from typing import Literal

import numpy as np

from quorate.data.option_checks import require_choice
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.typing import Array

Margin = Literal["psi5", "psi1"]
Of = Literal["probs", "logits"]


def require_trace(name: str, trace: Array | None, n_rows: int, n_classes: int, rows: str = "tasks") -> Array:
    """The trace, where it is of these rows; else what to do."""
    if trace is None:
        raise MethodError(
            f"{name} reads what a classifier says while it learns: give trace=..., or x=... to quorate.identify"
        )
    try:
        found = np.asarray(trace)
    except ValueError:  # rows of several lengths
        found = np.empty(0)
    if found.ndim != 3 or found.shape[1:] != (n_rows, n_classes) or not len(found):
        raise MethodError(
            f"{name} reads a trace of epochs x {n_rows} {rows} x {n_classes} classes, got one of shape {found.shape}"
        )
    if found.dtype.kind not in "iuf" or any(np.isinf(epoch).any() for epoch in found):
        raise MethodError(f"{name} reads a trace of probabilities, NaN where a row was not met: there are other values")
    return found if found.dtype.kind == "f" else found.astype(np.float64)


def mean_margins(trace: Array, *, margin: Margin, top: int, of: Of) -> Array:
    """The margin of every label, were it the right one, as the mean over the epochs: (n_rows, n_classes).

    trace: (n_epochs, n_rows, n_classes). An epoch in which a row was not met (NaN) does not count for it; a row that
    was never met has NaN.

    >>> trace = np.array([[[0.7, 0.2, 0.1]], [[0.5, 0.4, 0.1]]])
    >>> mean_margins(trace, margin="psi5", top=1, of="probs").round(2).tolist()
    [[0.3, 0.0, -0.2]]
    """
    n_classes = trace.shape[2]
    require_choice("margin", margin, Margin)
    require_choice("of", of, Of)
    if not 1 <= top < n_classes:
        raise MethodError(f"top must be from 1 to one less than the {n_classes} classes, got {top}")
    total = np.zeros(trace.shape[1:])
    epochs = np.zeros(len(total))
    for said in trace:  # an epoch at a time: the whole would be sorted in as much memory again
        met = ~np.isnan(said[:, 0])
        scores = _logs(said[met]) if of == "logits" else said[met].astype(np.float64)
        total[met] += scores - _rivals(scores, margin, top)
        epochs += met
    with np.errstate(invalid="ignore"):
        return total / np.where(epochs, epochs, np.nan)[:, None]


def _logs(said: Array) -> Array:
    """Logits but for a constant; what single precision has rounded to zero counts as the least that it can tell."""
    return np.log(np.maximum(said, np.finfo(said.dtype).tiny), dtype=np.float64)


def _rivals(scores: Array, margin: Margin, top: int) -> Array:
    """What the score of each label is compared with: (n, n_classes), or (n, 1) where it is the same for all labels."""
    ordered = -np.sort(-scores, axis=1)
    after = ordered[:, top, None]
    if margin == "psi5":
        return after
    # Of the other labels, the one of rank `top`: for a label that is itself among the first, the next one.
    return np.where(scores >= ordered[:, top - 1, None], after, ordered[:, top - 1, None])


def last_said(trace: Array) -> Array:
    """What was said of each row when it was last met: (n_rows, n_classes)."""
    said = np.full(trace.shape[1:], np.nan)
    for epoch in trace:
        met = ~np.isnan(epoch[:, 0])
        said[met] = epoch[met]
    return said


def where_voted(votes: Votes, values: Array) -> Array:
    """Values of tasks, NaN for those without votes."""
    return np.where(votes.votes_per_task > 0, values, np.nan)
