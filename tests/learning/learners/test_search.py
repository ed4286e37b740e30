import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin
from quorate.errors import MethodError
from quorate.inference.progress import watch_rounds
from quorate.learning._clone import single_threaded, with_option
from quorate.learning.hold_out import hold_out
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.search import Between, Search
from quorate.learning.scoring import task_score
from quorate.protocols import OnEpoch, Valid
from quorate.typing import Array

X = np.linspace(-1, 1, 60)[:, None]
GOLD = (X[:, 0] > 0).astype(int)
VALID = Valid(x=X, gold=GOLD)


def crowd() -> Votes:
    return Votes.from_arrays(np.arange(60).repeat(2), np.tile([0, 1], 60), GOLD.repeat(2), n_classes=2)


@dataclass(frozen=True, kw_only=True)
class Inner:
    bend: float = 1.0

    def __post_init__(self) -> None:
        if self.bend > 100:
            raise MethodError(f"bend must be at most 100, got {self.bend}")


@dataclass(kw_only=True, eq=False)
class Bent:
    """Says class 1 the surer, the larger bend * x."""

    fits: ClassVar[list[int]] = []
    inner: Inner = field(default_factory=Inner)
    shift: float = 0.0

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        Bent.fits.append(votes.n_tasks)
        if self.shift > 9:
            raise MethodError("the loss became nan: lower lr")
        return self

    def predict_proba(self, x: Any) -> Array:
        sure = 1 / (1 + np.exp(-self.inner.bend * (np.asarray(x)[:, 0] - self.shift)))
        return np.column_stack([1 - sure, sure])


@pytest.fixture(autouse=True)
def _forget() -> None:
    Bent.fits.clear()


def fitted(search: Search, **how: Any) -> Search:
    votes = crowd()
    return search.fit(X, votes, aggregate(votes, "majority"), **how)


def test_the_best_of_a_grid_is_fitted_to_everything() -> None:
    search = fitted(Search(learner=Bent(), options={"inner.bend": [1.0, 9.0, -1.0], "shift": [0.0, 0.5]}), valid=VALID)
    assert search.best_.options == {"inner.bend": 9.0, "shift": 0.0}
    assert [trial.options["inner.bend"] for trial in search.results_] == [1.0, 1.0, 9.0, 9.0, -1.0, -1.0]
    assert search.best_.score == max(trial.score for trial in search.results_)
    assert Bent.fits == [60] * 7
    assert search.predict_proba(X).argmax(axis=1).tolist() == GOLD.tolist()


def test_without_valid_a_fifth_of_the_tasks_is_held_out() -> None:
    search = fitted(Search(learner=Bent(), options={"inner.bend": [1.0, 9.0]}))
    assert search.best_.options == {"inner.bend": 9.0}
    assert Bent.fits == [48, 48, 60]


def test_held_out_tasks_are_scored_by_the_joint_likelihood_of_their_votes() -> None:
    votes = crowd()
    posterior = aggregate(votes)
    search = Search(learner=Bent(), options={"inner.bend": [1.0, 9.0]}).fit(X, votes, posterior)
    _, kept_back = hold_out(votes, 0.2, 0)
    probs = Bent(inner=Inner(bend=9.0)).predict_proba(X[kept_back])
    assert search.best_.score == pytest.approx(task_score(probs, votes.subset(tasks=kept_back), posterior))


def test_a_failed_training_is_recorded_and_does_not_end_the_search() -> None:
    search = fitted(Search(learner=Bent(), options={"inner.bend": [500.0, 2.0], "shift": [10.0, 0.0]}), valid=VALID)
    assert search.best_.options == {"inner.bend": 2.0, "shift": 0.0}
    assert [trial.reason for trial in search.results_] == ["bend must be at most 100, got 500.0"] * 2 + [
        "the loss became nan: lower lr",
        "",
    ]
    with pytest.raises(MethodError, match="none of 1 combinations could be trained; the first: the loss became nan"):
        fitted(Search(learner=Bent(), options={"shift": [10.0]}), valid=VALID)


def test_unknown_paths_and_bad_options_are_refused() -> None:
    with pytest.raises(MethodError, match="Bent has no option 'recipe': it has inner, shift"):
        fitted(Search(learner=Bent(), options={"recipe.lr": [1.0]}))
    with pytest.raises(MethodError, match="Inner has no option 'lr': it has bend"):
        fitted(Search(learner=Bent(), options={"inner.lr": [1.0]}))
    with pytest.raises(MethodError, match="float has no option 'x': it has none"):
        fitted(Search(learner=Bent(), options={"shift.x": [1.0]}))
    with pytest.raises(MethodError, match="give the number of combinations"):
        fitted(Search(learner=Bent(), options={"shift": Between(1, 2)}))
    with pytest.raises(MethodError, match="low must be below high above zero"):
        Between(0, 1)
    with pytest.raises(MethodError, match="needs a list of values or a range, got 'abc'"):
        Search(learner=Bent(), options={"shift": "abc"})
    with pytest.raises(MethodError, match="metric must be one of log_loss"):
        Search(learner=Bent(), options={}, metric="f1")


def test_cached_combinations_are_not_trained_again(tmp_path: Path) -> None:
    options = {"inner.bend": [1.0, 9.0], "shift": [0.0, 10.0]}
    folder = str(tmp_path / "scores")
    first = fitted(Search(learner=Bent(), options=options, folder=folder), valid=VALID)
    Bent.fits.clear()
    again = fitted(Search(learner=Bent(), options=options, folder=folder), valid=VALID)
    assert Bent.fits == [60]  # only the last, on everything
    assert str(again.results_) == str(first.results_)
    files = sorted(Path(folder).iterdir())
    assert len(files) == 4
    files[0].write_text("{ broken")
    files[1].write_text(json.dumps({"score": "none"}))
    Bent.fits.clear()
    fitted(Search(learner=Bent(), options=options, folder=folder), valid=VALID)
    assert len(Bent.fits) == 3
    Bent.fits.clear()
    fitted(Search(learner=Bent(), options=options, folder=folder), valid=Valid(x=X, gold=1 - GOLD))  # other data
    assert len(Bent.fits) == 5


def test_cached_scores_depend_on_the_model_of_workers(tmp_path: Path) -> None:
    """Search again with the same probabilities and another model of workers."""
    votes = crowd()
    posterior = aggregate(votes)
    search = Search(learner=Bent(), options={"shift": [0.0]}, folder=str(tmp_path))
    trained = []
    for accuracy in (0.9, 0.9, 0.6):
        Bent.fits.clear()
        search.fit(X, votes, replace(posterior, worker_model=Coin(np.full(3, accuracy), 2)))
        trained.append(len(Bent.fits) - 1)
    assert trained == [1, 0, 1]
    assert len(list(tmp_path.iterdir())) == 2


def test_processes_give_the_same_results() -> None:
    options: dict[str, list[Any]] = {"l2": [1e-3, 1e-1, 10.0], "max_rounds": [2, 100]}
    seen = list[tuple[int, int]]()
    alone = fitted(Search(learner=Linear(), options=options))
    with watch_rounds(lambda number, most: seen.append((number, most))):
        together = fitted(Search(learner=Linear(), options=options, processes=2))
    assert [trial.options for trial in together.results_] == [trial.options for trial in alone.results_]
    assert [trial.score for trial in together.results_] == pytest.approx([trial.score for trial in alone.results_])
    assert together.best_.options == alone.best_.options
    assert seen[: len(alone.results_)] == [(n + 1, len(alone.results_)) for n in range(len(alone.results_))]


def test_options_inside_options_are_copies() -> None:
    learner = Bent()
    assert with_option(learner, "inner.bend", 5.0).inner.bend == 5.0
    assert learner.inner.bend == 1.0
    assert single_threaded(learner) is learner


def test_votes_of_a_learner_that_knows_none() -> None:
    search = fitted(Search(learner=Bent(), options={"shift": [0.0]}), valid=VALID)
    with pytest.raises(MethodError, match="Bent cannot predict votes"):
        search.predict_votes(X)
