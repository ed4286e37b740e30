"""Search: options of a learner, chosen by what works best."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from quorate.data.ids import Names
from quorate.data.option_checks import require_choice, require_numbers, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.progress import report_round
from quorate.learning._clone import fresh, with_option
from quorate.learning._inputs import fit_inputs, most_likely, part_of, require_fitted, require_valid, take_items
from quorate.learning.hold_out import hold_out
from quorate.learning.learners._score_cache import ScoreCache
from quorate.learning.learners._search_runs import Exam, results
from quorate.learning.learners._search_space import Between, Values, combinations, require_option
from quorate.learning.tuning import TUNING
from quorate.protocols import Learner, OnEpoch, Valid
from quorate.typing import Array

__all__ = ["Between", "Search", "Trial"]

METRICS = ("log_loss", "accuracy", "macro_f1")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A combination of options and its score; NaN where it could not be trained, for that reason."""

    options: dict[str, Any]
    score: float
    reason: str = ""


@dataclass(kw_only=True, eq=False)
class Search:
    """Trains a learner with combinations of options, and keeps the best, fitted to everything.

    options: values by the path of an option, {"recipe.lr": [1e-3, 1e-2], "base.sizes": [(128,), (256,)]}, or a range,
    {"l2": Between(1e-4, 1e-1)}. tries: so many combinations at random; None: all.
    They are judged by `valid`: gold by `metric` (log_loss, accuracy or macro_f1), votes by their likelihood under the
    posterior's model of workers; without `valid`, by the votes of a fifth of the tasks, which are held out. A
    combination that cannot be trained is noted with the reason. Of equals, the first is the best.
    processes: how many train at the same time, with one thread each; a script that asks for more than one needs the
    usual `if __name__ == "__main__":` around what it does. folder: where scores are kept, so that the same
    combination on the same data is not trained again; empty it when the code of a learner has changed.
    After `fit`: `results_` (a Trial for each), `best_`, `learner_`. Cost: a training for each, and one.

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
        x, valid = fit_inputs(x, votes, posterior, valid, on_epoch)
        self.classes_ = votes.classes
        combined = combinations(self.options, self.tries, self.seed)
        learners, outcomes = dict[int, Learner](), dict[int, tuple[float, str]]()
        for place, options in enumerate(combined):
            try:
                learners[place] = _built(self.learner, options)
            except _RefusedError as error:
                outcomes[place] = np.nan, str(error)
        outcomes |= self._scores(self._exam(x, votes, posterior, valid), learners)
        self.results_ = [
            Trial(options=options, score=outcomes[place][0], reason=outcomes[place][1])
            for place, options in enumerate(combined)
        ]
        best = _best(self.results_)
        self.best_ = self.results_[best]
        self.learner_: Any = fresh(learners[best]).fit(x, votes, posterior, valid=valid, on_epoch=on_epoch)
        return self

    def predict_proba(self, x: Any) -> Array:
        """Class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "learner_")
        return self.learner_.predict_proba(x)

    def predict(self, x: Any) -> Names:
        """The most likely class of each item, by name."""
        return most_likely(self, x)

    def predict_votes(self, x: Any) -> Array:
        """What every worker of training would say of any items: (n, n_workers, n_classes)."""
        require_fitted(self, "learner_")
        if not hasattr(self.learner_, "predict_votes"):
            raise MethodError(f"{type(self.learner_).__name__} cannot predict votes: search a learner that can")
        return self.learner_.predict_votes(x)

    def _exam(self, x: Any, votes: Votes, posterior: Posterior, valid: Valid | None) -> Exam:
        if valid is not None:
            require_valid(valid, votes.n_classes)
            return Exam(x, votes, posterior, valid, valid, self.metric)
        rest, kept_back = hold_out(votes, TUNING.held_out_share, self.seed)
        if not len(kept_back):
            raise MethodError("there are too few tasks with votes to hold any out: give valid to judge by")
        judge = Valid(x=take_items(x, kept_back), votes=votes.subset(tasks=kept_back))
        return Exam(take_items(x, rest), votes.subset(tasks=rest), part_of(posterior, rest), judge, None, self.metric)

    def _scores(self, exam: Exam, learners: Mapping[int, Learner]) -> dict[int, tuple[float, str]]:
        """Score, and reason where there is none, by the place of each learner; those known from before first."""
        cache = ScoreCache(self.folder, exam.fingerprint() if self.folder else "")
        cached = {place: cache.get(learner) for place, learner in learners.items()}
        outcomes = {place: outcome for place, outcome in cached.items() if outcome is not None}
        left = [place for place in learners if place not in outcomes]
        for number, score, reason in results(exam, [learners[place] for place in left], self.processes):
            cache.put(learners[left[number]], score, reason)
            outcomes[left[number]] = score, reason
            report_round(len(outcomes), len(learners))
        return outcomes


class _RefusedError(MethodError):
    """A combination that its own learner refuses."""


def _built(learner: Any, options: Mapping[str, Any]) -> Learner:
    """The learner with these options; a path that is not there ends the search, a value that is refused does not."""
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
