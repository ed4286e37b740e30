"""Checks of the inputs of learners: items, votes and posterior must fit together."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from quorate.data.checks import gold_labels, require_votes
from quorate.data.ids import Names, lookup, shown
from quorate.data.posterior import Posterior, require_posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.io.items import Items
from quorate.learning.targets.base import Targets
from quorate.protocols import OnEpoch, Valid
from quorate.typing import Array

NO_LABELS = "there is nothing to learn from: no task has a vote or a gold label"


def matrix(x: Any, n_inputs: int | None = None) -> Any:
    """Return checked features as float32: a dense array or, if they are sparse, a CSR array, (n, n_inputs)."""
    if sparse.issparse(x):
        numbers = sparse.csr_array(x, dtype=np.float32)
        values = numbers.data
    else:
        numbers = values = _numbers(x)
    if numbers.ndim != 2 or 0 in numbers.shape[1:]:
        advice = ": images need a base such as small_cnn" if numbers.ndim == 4 else ""
        raise VotesError(f"x must be a table of items x features, got shape {numbers.shape}{advice}")
    if not np.isfinite(values).all():
        row = _first_bad_row(numbers) + 1
        raise VotesError(f"x holds NaN or infinity (row {row}): fill in missing values, such as by column means")
    if n_inputs is not None and numbers.shape[1] != n_inputs:
        raise VotesError(f"x has {numbers.shape[1]} features, but the classifier was fitted to {n_inputs}")
    return numbers


def _numbers(x: Any) -> NDArray[np.float32]:
    try:
        return np.asarray(x, dtype=np.float32)
    except (TypeError, ValueError):
        raise VotesError("x must hold numbers: items x features; texts need a base for texts") from None


def _first_bad_row(numbers: Any) -> int:
    if sparse.issparse(numbers):
        return int(np.repeat(np.arange(numbers.shape[0]), np.diff(numbers.indptr))[~np.isfinite(numbers.data)][0])
    return int(np.argmin(np.isfinite(numbers).all(axis=1)))


def n_items(x: Any) -> int:
    """Return the number of items."""
    if isinstance(x, tuple) and x:
        return n_items(x[0])
    if hasattr(x, "shape") and x.shape:
        return int(x.shape[0])
    if isinstance(x, str | bytes | dict) or not hasattr(x, "__len__"):
        raise VotesError(f"x must hold one row per item, got {type(x).__name__}: give an array, a list or Items")
    return len(x)


def is_empty_list(x: Any) -> bool:
    """Return True if x is a list, array or column without any item, such as an empty list of texts."""
    return not isinstance(x, tuple) and getattr(x, "ndim", 1) == 1 and not isinstance(x, str) and n_items(x) == 0


def take_items(x: Any, rows: ArrayLike) -> Any:
    """Return some of the items: rows of an array, sparse matrix, frame or list, or of each part of a tuple."""
    chosen = np.asarray(rows)
    if isinstance(x, tuple):
        return tuple(take_items(part, chosen) for part in x)
    if sparse.issparse(x):
        return sparse.csr_array(x)[chosen]
    if hasattr(x, "to_numpy"):  # of a frame or series, [row] would be a column or label
        x = x.to_numpy()
    return x[chosen] if isinstance(x, np.ndarray) else [x[row] for row in chosen.tolist()]


def item_values(x: Any) -> Any:
    """Return the values of Items, in their own order, and anything else unchanged."""
    if not isinstance(x, Items):
        return x
    if x.kind == "images":
        raise VotesError("these items are paths of images, which are not read yet: give items.images(size=32)")
    return x.x


def align_items(x: Any, votes: Votes) -> Any:
    """Return Items in the order of the tasks of the votes; anything else must be in that order already.

    >>> items = Items(tasks=np.array([7, 1, 0]), kind="features", x=np.array([[0.7], [0.1], [0.0]]))
    >>> align_items(items, Votes.from_arrays([0, 1], [0, 0], [1, 0], n_classes=2)).tolist()
    [[0.0], [0.1]]
    """
    if not isinstance(x, Items):
        return x
    index = lookup(votes.tasks, x.tasks)
    missing = index < 0
    if missing.any():
        task = shown(votes.tasks[np.argmax(missing)])
        others = f" (nor do {missing.sum() - 1:,} others)" if missing.sum() > 1 else ""
        raise VotesError(f"task {task} of the votes has no item{others}: add its row to the items, or drop its votes")
    return take_items(item_values(x), index)


def check_fit_inputs(
    x: Any, votes: Votes, posterior: Posterior, valid: Valid | None = None, on_epoch: OnEpoch | None = None
) -> tuple[Any, Valid | None]:
    """Check the arguments of `fit`; return x and valid, with their items in the order of the votes."""
    require_votes(votes)
    require_posterior(posterior)
    if not isinstance(valid, Valid | None):
        raise VotesError(f"valid must be a quorate.protocols.Valid, got {type(valid).__name__}: Valid(x=..., gold=...)")
    if on_epoch is not None and not callable(on_epoch):
        raise VotesError(f"on_epoch must be a function of an epoch and an array of probabilities, got {on_epoch!r}")
    if valid is not None:
        if valid.votes is not None:
            require_votes(valid.votes, "votes of valid")
        items = item_values(valid.x) if valid.votes is None else align_items(valid.x, valid.votes)
        valid = replace(valid, x=items)
    x = align_items(x, votes)
    require_fit(x, votes, posterior)
    return x, valid


def require_fit(x: Any, votes: Votes, posterior: Posterior) -> None:
    """Refuse items, votes and a posterior that are not about the same tasks and classes."""
    if n_items(x) != votes.n_tasks:
        raise VotesError(f"x has {n_items(x)} rows, but the votes have {votes.n_tasks} tasks: give one row per task")
    shape = (votes.n_tasks, votes.n_classes)
    if posterior.probs.shape != shape:
        raise VotesError(
            f"the posterior has {posterior.probs.shape[0]} tasks and {posterior.probs.shape[1]} classes, the votes "
            f"{shape[0]} and {shape[1]}: aggregate these votes"
        )
    for kind, ours, theirs in (
        ("task", votes.tasks, posterior.tasks),
        ("class", votes.classes, posterior.classes),
    ):
        _require_same_names(kind, ours, theirs)
    if not len(votes) and not (posterior.confidence == 1).any():
        raise VotesError(NO_LABELS)


def _require_same_names(kind: str, ours: Names, theirs: Names) -> None:
    if ours is theirs or np.array_equal(ours, theirs):
        return
    for number, (our, their) in enumerate(zip(ours.tolist(), theirs.tolist(), strict=True), start=1):
        if str(our) != str(their):
            raise VotesError(
                f"{kind} {number} of the votes is {shown(our)}, of the posterior {shown(their)}: aggregate these votes"
            )


def require_targets(targets: Targets) -> None:
    """Refuse targets without any task."""
    if not len(targets.task):
        raise VotesError(NO_LABELS)


def subset_posterior(posterior: Posterior, tasks: NDArray[np.int64]) -> Posterior:
    """Return the posterior of some of the tasks."""
    return replace(posterior, probs=posterior.probs[tasks], tasks=posterior.tasks[tasks])


def require_valid(valid: Valid, n_classes: int, classes: Names | None = None) -> None:
    """Refuse validation items without any label, or with other classes than those of training."""
    if (valid.gold is None) == (valid.votes is None):
        raise VotesError("valid needs x with either gold or votes")
    size = np.asarray(valid.gold).size if valid.votes is None else valid.votes.n_tasks
    if n_items(valid.x) != size:
        raise VotesError(f"valid has {n_items(valid.x)} rows of x, but labels of {size}")
    if valid.votes is None:
        if not (gold_labels(valid.gold, size, n_classes, "gold of valid") >= 0).any():
            raise VotesError(
                "valid has no gold label to judge by, all are -1: give gold of at least one item, or votes"
            )
        return
    if valid.votes.n_classes != n_classes:
        raise VotesError(f"the votes of valid have {valid.votes.n_classes} classes, those of training {n_classes}")
    if classes is not None and [*map(str, valid.votes.classes)] != [*map(str, classes)]:
        raise VotesError(
            f"the votes of valid have classes {valid.votes.classes.tolist()}, those of training {classes.tolist()}"
        )
    if not len(valid.votes):
        raise VotesError("valid has no votes: give some, or gold")


def most_likely_classes(learner: Any, x: Any) -> Names:
    """Return the name of the class of each item that a fitted learner finds most likely: (n,)."""
    labels = learner.predict_proba(x).argmax(axis=1)
    return learner.classes_[labels]


def class_totals(probs: Array, weight: Array) -> Array:
    """Return the weighted total of the targets of each class: (n_classes,)."""
    return weight @ probs


def require_fitted(learner: Any, attribute: str) -> None:
    """Refuse a learner that has not been fitted."""
    if not hasattr(learner, attribute):
        raise MethodError(f"this {type(learner).__name__} has learnt nothing yet: call fit first, or load one that has")
