"""Search over the options of a learner."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from quorate.data.option_checks import require_choice, require_numbers, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.progress import report_round
from quorate.learning._clone import fresh, with_option
from quorate.learning.hold_out import hold_out
from quorate.learning.inputs import check_fit_inputs, require_fitted, require_valid, subset_posterior, take_items
from quorate.learning.learners._score_cache import ScoreCache
from quorate.learning.learners._search_runs import Evaluation, score_learners
from quorate.learning.learners._search_space import Between, Values, combinations, require_option
from quorate.learning.learners._wrapper import Wrapper
from quorate.learning.tuning import TUNING
from quorate.protocols import Learner, OnEpoch, Valid
from quorate.typing import Array

__all__ = ["Between", "Search", "Trial"]

METRICS = ("log_loss", "accuracy", "macro_f1")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A combination of options and its score; NaN if it could not be trained, with the reason."""

    options: dict[str, Any]
    score: float
    reason: str = ""


@dataclass(kw_only=True, eq=False)
class Search(Wrapper):
    """Trains a learner with combinations of options; the best combination is then fitted to everything.

    Combinations are scored by `valid`: gold by `metric`, votes by their likelihood under the posterior's model of
    workers; without `valid`, by the votes of a fifth of the tasks, which are held out. A combination that cannot be
    trained is recorded with the reason. If several have the best score, the first wins.
    After `fit`: `results_` (a Trial for each), `best_`, `learner_`. Cost: one training per combination, and one more.

    Args:
        learner: the classifier.
        options: values by the path of an option, {"recipe.lr": [1e-3, 1e-2], "base.sizes": [(128,), (256,)]}, or a
            range, {"l2": Between(1e-4, 1e-1)}.
        tries: number of combinations, drawn at random; None: all.
        metric: log_loss, accuracy or macro_f1.
        processes: number of trainings at a time, with one thread each; a script with more than one process needs the
            usual `if __name__ == "__main__":` around its code.
        folder: where scores are kept, so that the same combination is not trained on the same data again; empty it when
            the code of a learner has changed.
        seed: of the combinations that are drawn, and of the tasks that are held out.

    >>> from quorate import Votes, aggregate
    >>> from quorate.learning.learners.linear import Linear
    >>> x = np.repeat([[0.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0, 0], [1, 1]], 10, axis=0))
    >>> search = Search(learner=Linear(), options={"l2": [100.0, 0.01]}).fit(x, votes, aggregate(votes, "majority"))
    >>> search.best_.options
    {'l2': 0.01}
    """

    learner: Learner
    options: Mapping[str, Values]
    tries: int | None = None
    metric: str = "log_loss"
    processes: int = 1
    folder: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        require_choice("metric", self.metric, METRICS)
        require_numbers(self, "tries", at_least=1, note="None is all combinations")
        require_numbers(self, "processes", at_least=1)
        require_part("learner", self.learner, "Network()", "fit", "predict_proba")
        if not isinstance(self.options, Mapping):
            raise MethodError(f"options must be a dict, such as {{'l2': [0.1, 1.0]}}, got {self.options!r}")
        for path, values in self.options.items():
            listed = hasattr(values, "__len__") and not isinstance(values, str)
            if not isinstance(values, Between) and not (listed and len(values)):
                raise MethodError(f"option {path!r} needs a list of values or a range, got {values!r}")

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """See quorate.protocols.Learner."""
        x, valid = check_fit_inputs(x, votes, posterior, valid, on_epoch)
        self.classes_ = votes.classes
        combined = combinations(self.options, self.tries, self.seed)
        learners, outcomes = dict[int, Learner](), dict[int, tuple[float, str]]()
        for number, options in enumerate(combined):
            try:
                learners[number] = _build(self.learner, options)
            except _RefusedError as error:
                outcomes[number] = np.nan, str(error)
        outcomes |= self._scores(self._evaluation(x, votes, posterior, valid), learners)
        self.results_ = [
            Trial(options=options, score=outcomes[number][0], reason=outcomes[number][1])
            for number, options in enumerate(combined)
        ]
        best = _best(self.results_)
        self.best_ = self.results_[best]
        self.learner_: Any = fresh(learners[best]).fit(x, votes, posterior, valid=valid, on_epoch=on_epoch)
        return self

    def predict_votes(self, x: Any) -> Array:
        """Predict the vote of every worker of the training votes on any items: (n, n_workers, n_classes)."""
        require_fitted(self, "learner_")
        if not hasattr(self.learner_, "predict_votes"):
            raise MethodError(f"{type(self.learner_).__name__} cannot predict votes: search a learner that can")
        return self.learner_.predict_votes(x)

    def _evaluation(self, x: Any, votes: Votes, posterior: Posterior, valid: Valid | None) -> Evaluation:
        if valid is not None:
            require_valid(valid, votes.n_classes)
            return Evaluation(x, votes, posterior, valid, valid, self.metric)
        rest, held_out = hold_out(votes, TUNING.held_out_share, self.seed)
        if not len(held_out):
            raise MethodError("there are too few tasks with votes to hold any out: give valid")
        own_valid = Valid(x=take_items(x, held_out), votes=votes.subset(tasks=held_out))
        rest_posterior = subset_posterior(posterior, rest)
        return Evaluation(take_items(x, rest), votes.subset(tasks=rest), rest_posterior, own_valid, None, self.metric)

    def _scores(self, evaluation: Evaluation, learners: Mapping[int, Learner]) -> dict[int, tuple[float, str]]:
        """Return the score of each learner, and the reason if it has none, by number; cached scores come first."""
        cache = ScoreCache(self.folder, evaluation.fingerprint() if self.folder else "")
        cached = {number: cache.get(learner) for number, learner in learners.items()}
        outcomes = {number: outcome for number, outcome in cached.items() if outcome is not None}
        left = [number for number in learners if number not in outcomes]
        for index, score, reason in score_learners(evaluation, [learners[number] for number in left], self.processes):
            cache.put(learners[left[index]], score, reason)
            outcomes[left[index]] = score, reason
            report_round(len(outcomes), len(learners))
        return outcomes


class _RefusedError(MethodError):
    """A combination that the learner refuses."""


def _build(learner: Any, options: Mapping[str, Any]) -> Learner:
    """Return the learner with these options; a path that does not exist ends the search, a refused value does not."""
    for path, value in options.items():
        require_option(learner, path)
        try:
            learner = with_option(learner, path, value)
        except MethodError as error:
            raise _RefusedError(str(error)) from None
    return learner


def _best(trials: list[Trial]) -> int:
    scores = np.array([trial.score for trial in trials])
    if np.isnan(scores).all():
        raise MethodError(f"none of {len(trials)} combinations could be trained; the first: {trials[0].reason}")
    return int(np.nanargmax(scores))
