"""Fits of NN1, one linear layer on tf-idf: by L-BFGS over a grid, and by Adam as the paper has it."""

import time
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration.texts_sets import TARGETS, load
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.learning.bases.linear import Linear as LinearBase
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.scoring import valid_score
from quorate.learning.targets.base import Targets
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.smoothed import Smoothed
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.soft_hard import SoftHard
from quorate.learning.training.protocols import Target
from quorate.learning.training.recipe import Recipe
from quorate.typing import Array

MAKERS: tuple[Target, ...] = (
    Hard(),
    Soft(),
    Smoothed(alpha=0.05, over="others"),
    Smoothed(alpha=0.1, over="others"),
    SoftHard(),
)
MAKER = dict(zip(TARGETS, MAKERS, strict=True))


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell of the grid."""

    l2: float
    class_weights: bool


GRID = tuple(Cell(l2=l2, class_weights=on) for l2, on in product((3e-4, 1e-4, 3e-5, 1e-5), (False, True)))


@dataclass(frozen=True, kw_only=True)
class Balanced:
    """A target with class weights, as the paper's code has them: each class's term counts by how rare its label is."""

    target: Target

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Targets whose terms are multiplied by the weights of the classes."""
        targets = self.target.make(votes, posterior)
        counts = np.bincount(posterior.labels, minlength=votes.n_classes)
        terms = targets.probs * (len(posterior.labels) / (votes.n_classes * np.maximum(counts, 1)))
        total = terms.sum(axis=1)
        return replace(targets, probs=terms / total[:, None], weight=targets.weight * total)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The cell that validation chose, the predictions of every cell for the test items, and their gold."""

    cell: Cell
    probs: dict[Cell, Array]
    gold: NDArray[np.int64]
    seconds: float  # of one fit

    @property
    def chosen(self) -> Array:
        """What the chosen cell says."""
        return self.probs[self.cell]


def fit(name: str, target: str, draw: int, grid: tuple[Cell, ...]) -> Fitted:
    """Fit every cell by L-BFGS, keep the best of 100 rounds, and choose the cell by validation."""
    texts, maker = load(name, draw), MAKER[target]
    valid = texts.valid.as_valid(maker)
    scores, probs = {}, {}
    begin = time.process_time()
    for cell in grid:
        linear = Linear(target=_weighted(maker, cell), l2=cell.l2, scale="none", max_rounds=100)
        linear.fit(texts.train.x, texts.train.votes, texts.train.posterior, valid=valid)
        scores[cell] = valid_score(linear.predict_proba(valid.x), valid, texts.train.posterior, "log_loss")
        probs[cell] = linear.predict_proba(texts.test_x)
    seconds = (time.process_time() - begin) / len(grid)
    return Fitted(max(grid, key=scores.__getitem__), probs, texts.gold, seconds)


def fit_by_adam(name: str, target: str, cell: Cell) -> tuple[Array, float]:
    """Train the same cell as the paper does: Adam with coupled decay, full batch, the best of 500 epochs kept.

    No patience ends it: with so large a rate, validation becomes worse for a while before it becomes better.
    """
    texts, maker = load(name), MAKER[target]
    recipe = Recipe(epochs=500, batch_size=len(texts.train.posterior.tasks), optimiser="adam", lr=0.1)
    network = Network(
        base=LinearBase(scale="none"),
        target=_weighted(maker, cell),
        recipe=replace(recipe, weight_decay=cell.l2),
    )
    begin = time.process_time()
    network.fit(texts.train.x, texts.train.votes, texts.train.posterior, valid=texts.valid.as_valid(maker))
    return network.predict_proba(texts.test_x), time.process_time() - begin


def _weighted(maker: Target, cell: Cell) -> Target:
    return Balanced(target=maker) if cell.class_weights else maker
