from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import ArrayLike

from quorate import Votes, aggregate, registry, simulate_votes
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.kos import Kos
from quorate.aggregation.majority import Majority
from quorate.aggregation.one_coin import OneCoin
from quorate.aggregation.select_best import SelectBest, _held_out_score
from quorate.data.posterior import Posterior
from quorate.errors import MethodError


@dataclass(frozen=True)
class Fixed:
    """Gives every task the same row."""

    row: tuple[float, ...]

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        return Posterior.of(votes, np.tile(self.row, (votes.n_tasks, 1)), class_prior=np.array(self.row))


def test_likelihood_by_hand() -> None:
    """Two tasks that are class 0 for sure; worker 0 said 0 on the first, worker 1 said 1: the pool says either half.

    Worker 0 then says 0 with (1 + 8 * (1 + .5) / 3) / 9 = 5/9, worker 1 with 4/9. Held out: 0 says 0, 1 says 0.
    """
    rest = Votes.from_arrays([0, 0], [0, 1], [0, 1], n_classes=2, n_tasks=2)
    asked = Votes.from_arrays([1, 1], [0, 1], [0, 0], n_classes=2, n_tasks=2)
    score = _held_out_score(Fixed((1.0, 0.0)), rest, asked, None, None)
    assert np.isclose(score, np.log([5 / 9, 4 / 9]).mean())


def test_takes_the_one_that_foretells() -> None:
    crowd = simulate_votes(n_tasks=400, workers={"reliable": 8, "adversary": 4}, votes_per_task=5, seed=3)
    best = SelectBest(candidates=(Majority(), DawidSkene()))
    assert np.diff(best.scores(crowd.votes))[0] > best.tolerance
    posterior = best.aggregate(crowd.votes)
    assert posterior.note == "chose dawid_skene"
    assert np.array_equal(posterior.probs, DawidSkene().aggregate(crowd.votes).probs)


def test_what_is_nearly_as_good_and_comes_first_wins() -> None:
    votes = simulate_votes(n_tasks=300, workers={"reliable": 10}, seed=2).votes
    pair = (OneCoin(), DawidSkene())
    assert abs(np.diff(SelectBest(candidates=pair).scores(votes))[0]) < 0.03
    assert SelectBest(candidates=pair).aggregate(votes).note == "chose one_coin"
    assert SelectBest(candidates=pair[::-1]).aggregate(votes).note == "chose dawid_skene"


def test_passes_over_candidates_that_cannot() -> None:
    votes = simulate_votes(n_tasks=50, classes=range(3)).votes
    assert SelectBest(candidates=(Kos(), Majority())).aggregate(votes).note == "chose majority"
    with pytest.raises(MethodError, match="two classes"):
        SelectBest(candidates=(Kos(),)).aggregate(votes)


def test_judges_by_the_votes_not_by_their_order() -> None:
    votes = simulate_votes(n_tasks=100, seed=5).votes
    shuffled = votes.subset(rows=np.random.default_rng(0).permutation(len(votes)))
    best = SelectBest(candidates=(DawidSkene(), Majority()))
    assert np.allclose(best.scores(votes), best.scores(shuffled))


def test_compare_tells_which_was_chosen() -> None:
    crowd = simulate_votes(n_tasks=100, seed=5)
    posterior = aggregate(crowd.votes, "select_best")
    assert posterior.note.startswith("chose ")
    assert registry.method("aggregation", "select_best", candidates=(Majority(),)).aggregate(crowd.votes).note


def test_refuses_options_that_mean_nothing() -> None:
    with pytest.raises(MethodError, match="candidates must be instances of methods"):
        SelectBest(candidates=())
    with pytest.raises(MethodError, match="candidates must be instances of methods"):
        SelectBest(candidates=("majority",))  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="held_out"):
        SelectBest(held_out=1.0)
    with pytest.raises(MethodError, match="is a tuple"):
        registry.method("aggregation", "select_best", candidates=3)
