import numpy as np
import pytest

from quorate import aggregate, registry, simulate_votes
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.kos import Kos
from quorate.aggregation.majority import Majority
from quorate.aggregation.one_coin import OneCoin
from quorate.aggregation.select_best import SelectBest
from quorate.errors import MethodError
from quorate.registry.methods import name_of


def test_takes_the_one_that_predicts_votes_best() -> None:
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
    for first, second in (pair, pair[::-1]):
        note = SelectBest(candidates=(first, second)).aggregate(votes).note
        assert note == f"chose {name_of(first)}; unsure: {name_of(second)} may predict votes as well"


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
