"""Reading a trace of training: margins averaged over epochs, and the last predictions."""

from typing import Literal

import numpy as np

from quorate.data.option_checks import require_choice
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.typing import Array

Margin = Literal["psi5", "psi1"]
Of = Literal["probs", "logits"]


def require_trace(name: str, trace: Array | None, n_rows: int, n_classes: int, rows: str = "tasks") -> Array:
    """Check a trace and return it as floats; raise MethodError if it is missing or of another shape.

    Args:
        name: name of the score, for messages.
        trace: (n_epochs, n_rows, n_classes), predicted probabilities; NaN for a row that was not seen in an epoch.
        n_rows: expected number of rows.
        n_classes: expected number of classes.
        rows: what a row is, for messages.
    """
    if trace is None:
        raise MethodError(
            f"{name} needs predictions of a classifier during training: give trace=..., or x=... to quorate.identify"
        )
    try:
        array = np.asarray(trace)
    except ValueError:  # rows of different lengths
        array = np.empty(0)
    if array.ndim != 3 or array.shape[1:] != (n_rows, n_classes) or not len(array):
        raise MethodError(
            f"{name} needs a trace of epochs x {n_rows} {rows} x {n_classes} classes, got one of shape {array.shape}"
        )
    if array.dtype.kind not in "iuf" or any(np.isinf(epoch).any() for epoch in array):
        raise MethodError(
            f"{name} needs a trace of probabilities, NaN for a row that was not seen in an epoch: got other values"
        )
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def mean_margins(trace: Array, *, margin: Margin, top: int, of: Of) -> Array:
    """Return the margin of every label, if it was the right one, averaged over the epochs: (n_rows, n_classes).

    Epochs in which a row was not seen (NaN) are ignored; a row that was never seen has NaN.

    Args:
        trace: (n_epochs, n_rows, n_classes), from `require_trace`.
        margin: see `Aum`.
        top: see `Aum`.
        of: see `Aum`.

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
    for pred_probs in trace:  # one epoch at a time: sorting copies the array
        seen = ~np.isnan(pred_probs[:, 0])
        scores = _logits(pred_probs[seen]) if of == "logits" else pred_probs[seen].astype(np.float64)
        total[seen] += scores - _rivals(scores, margin, top)
        epochs += seen
    with np.errstate(invalid="ignore"):
        return total / np.where(epochs, epochs, np.nan)[:, None]


def _logits(pred_probs: Array) -> Array:
    """Return logits up to a constant, with zeros clipped to the smallest positive number of the type."""
    return np.log(np.maximum(pred_probs, np.finfo(pred_probs.dtype).tiny), dtype=np.float64)


def _rivals(scores: Array, margin: Margin, top: int) -> Array:
    """Return the score that each label is compared with: (n, n_classes), or (n, 1) if it is the same for all."""
    ordered = -np.sort(-scores, axis=1)
    next_score = ordered[:, top, None]
    if margin == "psi5":
        return next_score
    # Rank `top` among the other labels is the next rank for a label that is itself among the first.
    return np.where(scores >= ordered[:, top - 1, None], next_score, ordered[:, top - 1, None])


def last_predictions(trace: Array) -> Array:
    """Return the prediction for each row in the last epoch in which it was seen: (n_rows, n_classes)."""
    pred_probs = np.full(trace.shape[1:], np.nan)
    for epoch in trace:
        seen = ~np.isnan(epoch[:, 0])
        pred_probs[seen] = epoch[seen]
    return pred_probs


def nan_without_votes(votes: Votes, values: Array) -> Array:
    """Return the values of the tasks, with NaN for tasks without votes."""
    return np.where(votes.votes_per_task > 0, values, np.nan)
