"""The functions `train` and `predict`: a classifier from items and votes, and its predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.api.aggregate import aggregate
from quorate.api.inputs import File, GoldLike, ItemsLike, VotesLike, as_gold, as_items, as_votes
from quorate.api.learner_items import IMAGE_SIZE, image_size_of, learner_of, require_base, with_images
from quorate.data.ids import as_names
from quorate.data.option_checks import require_number
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.io.items import Items
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.saving import load, read_about, save
from quorate.learning.scoring import report
from quorate.protocols import Aggregator, Learner, Valid
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array, Gold

FOLDS = 5  # of out-of-fold predictions


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TrainedClassifier:
    """A fitted classifier, the votes that it was trained on, and its predictions.

    Attributes:
        learner: the fitted classifier.
        items: all items, those without votes among them.
        votes: the votes that it was trained on.
        held_out: the votes that chose the best epoch; None without any.
        posterior: the consensus of the votes that it was trained on.
        predictions: its class probabilities of every item.
        out_of_fold: class probabilities of every item by a classifier that was not trained on it; None if not asked.
        gold: gold labels to measure by, class index per item, -1 = none; None without any.
        valid: gold labels that chose the best epoch, likewise.
    """

    learner: Any
    items: Items
    votes: Votes
    held_out: Votes | None
    posterior: Posterior
    predictions: Posterior
    out_of_fold: Posterior | None
    gold: Gold | None
    valid: Gold | None

    def __repr__(self) -> str:
        name, taught = type(self.learner).__name__, int((self.votes.votes_per_task > 0).sum())
        classes = len(self.predictions.classes)
        return f"TrainedClassifier({name}, {classes} classes, {len(self.items)} items, {taught} with votes)"

    @property
    def consensus(self) -> Posterior | None:
        """The joint consensus of votes and classifier, where the learner is joint_em; otherwise None."""
        calibrated = hasattr(self.learner, "calibration_")
        joint: Posterior | None = getattr(self.learner.learner_ if calibrated else self.learner, "posterior_", None)
        return joint

    def save(self, folder: File) -> None:
        """Write the classifier to a folder, with the names of its features."""
        save(self.learner, Path(folder), about={"columns": list(self.items.columns)} if self.items.columns else None)

    def scores(self) -> dict[str, dict[str, float]]:
        """Return measures by group of items: taught, by the votes alone, valid, not taught and held out."""
        probs, is_taught = self.predictions.probs, self.votes.votes_per_task > 0
        groups = {"taught": {"votes": float(len(self.votes))} | report(probs, None, self.votes, self.posterior)}
        if self.gold is not None:
            is_valid = np.zeros(len(self.gold), dtype=bool) if self.valid is None else self.valid >= 0
            on_taught = _scores_by_gold(probs, self.gold, is_taught)
            groups["taught"] = on_taught | groups["taught"]
            if on_taught:
                groups["crowd"] = _scores_by_gold(self.posterior.probs, self.gold, is_taught)
            groups["valid"] = _scores_by_gold(probs, self.gold, is_valid)
            groups["not taught"] = _scores_by_gold(probs, self.gold, ~is_taught & ~is_valid)
        elif self.valid is not None:
            groups["valid"] = _scores_by_gold(probs, self.valid, self.valid >= 0)
        if self.held_out is not None:
            of_held_out = report(probs, None, self.held_out, self.posterior)
            groups["held out"] = {"votes": float(len(self.held_out))} | of_held_out
        return {name: scores for name, scores in groups.items() if scores}


def train(
    items: ItemsLike,
    votes: VotesLike,
    learner: Learner | str | None = None,
    *,
    method: AggregationMethod | Aggregator = "dawid_skene",
    gold: GoldLike | None = None,
    valid: GoldLike | None = None,
    hold_out: float = 0.0,
    out_of_fold: bool = False,
    image_size: int | None = None,
    seed: int = 0,
    on_stage: Callable[[str], None] | None = None,
) -> TrainedClassifier:
    """Train a classifier on items and the votes on them; items without votes teach nothing, but are predicted.

    Args:
        items: Items, a frame, or the path of a file, with a column task; or an array of features or a list of texts
            with one row per task of the votes.
        votes: votes on some of the items: Votes, a frame, or the path of a file.
        learner: the classifier: its name, or an object such as `quorate.learning.Network(...)`; softmax regression
            where none is given.
        method: aggregates the votes that it is trained on.
        gold: gold labels to measure by; they teach nothing. Class index per item, or a frame or file.
        valid: gold labels that choose the best epoch; votes on these items are left out.
        hold_out: share of the votes to choose the best epoch by, instead of `valid`.
        out_of_fold: whether to predict every item also by a classifier that was not trained on it.
        image_size: images are read as squares of this side, in pixels; 32 where none is given.
        seed: draws the votes held out and the folds.
        on_stage: called with the name of every stage of the work as it begins.

    >>> items = Items(tasks=as_names(["a", "b"]), kind="features", x=np.array([[0.0], [1.0]]))
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> train(items, replace(votes, tasks=items.tasks)).predictions.labels.tolist()
    [0, 1]
    """
    require_number("hold_out", hold_out, at_least=0, below=1)
    report_stage = on_stage or (lambda stage: None)
    chosen = learner_of(learner)
    recorded = as_votes(votes)
    features = with_images(as_items(items, recorded.tasks), image_size)
    require_base(features, chosen)
    pool = features.with_votes(recorded)
    truth, judges = as_gold(gold, pool), as_gold(valid, pool)
    taught, held_out = _split(pool, judges, hold_out, seed)
    _require_folds(taught, chosen, out_of_fold)
    name = method if isinstance(method, str) else registry.name_of(method)
    report_stage(f"Aggregating by {name}")
    posterior = aggregate(taught, method, probabilities="model")
    report_stage(f"Training {type(chosen).__name__}")
    chosen.fit(features.x, taught, posterior, valid=_valid(features, judges, held_out))
    report_stage("Predicting")
    predictions = predict(chosen, features)
    others = None
    if out_of_fold:
        report_stage("Predicting out of fold")
        others = replace(predictions, probs=cross_fit(chosen, features.x, taught, posterior, folds=FOLDS, seed=seed))
    return TrainedClassifier(
        learner=chosen,
        items=features,
        votes=taught,
        held_out=held_out,
        posterior=posterior,
        predictions=predictions,
        out_of_fold=others,
        gold=truth,
        valid=judges,
    )


def predict(
    model: TrainedClassifier | Learner | File,
    items: ItemsLike,
    *,
    columns: Sequence[str] = (),
    image_size: int | None = None,
) -> Posterior:
    """Predict the class of items, with probabilities.

    Args:
        model: the result of `train`, a fitted learner, or the folder that one was saved to.
        items: Items, a frame, the path of a file, an array of features or a list of texts. Features with names may be
            in another order than in training.
        columns: names of the features in training, in order; a saved classifier, and the result of `train`, brings
            them.
        image_size: images are read as squares of this side; by default, of the side that they had in training.
    """
    learner: Any = model
    if isinstance(model, TrainedClassifier):
        learner, columns = model.learner, model.items.columns or columns
    elif isinstance(model, str | PathLike):
        learner, columns = load(Path(model)), read_about(Path(model)).get("columns", columns)
    elif isinstance(model, type) or not hasattr(model, "predict_proba"):
        raise MethodError(f"a model is the result of train, a fitted learner or a folder, got {model!r}")
    features = with_images(as_items(items), image_size, default=image_size_of(learner) or IMAGE_SIZE)
    require_base(features, learner)
    features = features.in_order(list(columns))
    probs = learner.predict_proba(features.x)
    return Posterior(
        probs=probs,
        tasks=features.tasks,
        workers=as_names([]),
        classes=learner.classes_,
        class_prior=probs.mean(axis=0),
        objective=np.empty(0),
    )


def _split(votes: Votes, valid: Gold | None, hold_out: float, seed: int) -> tuple[Votes, Votes | None]:
    """Return the votes that teach, and those held out."""
    if valid is not None:
        if hold_out:
            raise MethodError(
                "the best epoch is chosen by valid (--valid) or by hold_out (--hold-out): give one of the two"
            )
        votes = votes.subset(rows=np.asarray(valid)[votes.task] < 0)
        if not len(votes):
            raise VotesError("every vote is on an item of valid (--valid): keep some items to learn from")
    return votes.split(hold_out, seed=seed) if hold_out else (votes, None)


def _require_folds(votes: Votes, learner: Any, out_of_fold: bool) -> None:
    """Refuse too few items for out-of-fold predictions, before anything is trained."""
    n_voted = int((votes.votes_per_task > 0).sum())
    calibrated = registry.name_of(learner) == "calibrated"
    if (out_of_fold or calibrated) and n_voted < FOLDS:
        option = "--calibrator" if calibrated else "--out-of-fold"
        raise MethodError(f"{option} needs {FOLDS} items with votes at least, and there are {n_voted}")


def _valid(items: Items, gold: Gold | None, held_out: Votes | None) -> Valid | None:
    """Return what each epoch is judged by."""
    if gold is not None:
        rows = np.flatnonzero(np.asarray(gold) >= 0)
        return Valid(x=items.take(rows), gold=np.asarray(gold)[rows])
    return None if held_out is None else Valid(x=items.x, votes=held_out)


def _scores_by_gold(probs: Array, gold: Gold, mask: NDArray[np.bool_]) -> dict[str, float]:
    count = int((mask & (gold >= 0)).sum())
    return {"items": float(count)} | report(probs, np.where(mask, gold, -1)) if count else {}
