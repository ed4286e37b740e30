import numpy as np
import pandas as pd
import pytest

from quorate import Votes, aggregate, compare, simulate_votes
from quorate.errors import MethodError, VotesError
from quorate.metrics import METRICS, accuracy, bootstrap, brier, log_loss
from quorate.simulation.crowd import SimulatedVotes
from tests.crowds import small_crowd

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 1]])


def test_refuses_gold_that_does_not_fit() -> None:
    for gold in ([1], [0, 1, 7]):
        with pytest.raises(VotesError, match="gold"):
            compare(VOTES, gold)


def test_a_perfect_log_loss_comes_first() -> None:
    votes = Votes.from_matrix([[0, 0], [1, 1]])
    assert compare(votes, [0, 1])["log_loss"][0] == 0


def test_measures_where_there_are_votes_and_gold() -> None:
    votes = small_crowd(3)
    gold = np.where(np.arange(votes.n_tasks) % 2, aggregate(votes, "majority").labels, -1)
    table = compare(votes, gold, ["majority", "dawid_skene"])
    assert table["method"][0] == "majority"
    assert table["rounds"].to_list()[0] == 0


def test_comes_in_the_frame_that_went_in() -> None:
    frame = pd.DataFrame({"task": [1, 1], "worker": ["a", "b"], "label": [0, 1]})
    assert isinstance(compare(Votes.from_frame(frame), np.array([1]), ["majority"]), pd.DataFrame)


def test_says_when_there_is_nothing_to_measure() -> None:
    with pytest.raises(VotesError, match="nothing to measure"):
        compare(VOTES, np.array([-1, -1, -1]))


def test_reports_each_method() -> None:
    seen: list[str] = []
    compare(VOTES, np.array([0, 1, 1]), ["majority", "glad"], on_method=seen.append)
    assert seen == ["majority", "glad"]


def test_a_text_is_no_list_of_methods() -> None:
    with pytest.raises(MethodError, match=r"methods must be a list of names, got 'glad': give \['glad'\]"):
        compare(VOTES, np.array([0, 1, 1]), "glad")  # type: ignore[arg-type]


def crowd_with_adversaries() -> SimulatedVotes:
    """Return votes that a majority gets wrong more often than a model of workers."""
    return simulate_votes(n_tasks=300, workers={"reliable": 8, "adversary": 4}, votes_per_task=5, seed=3)


def test_scores_as_measured_one_by_one() -> None:
    crowd = crowd_with_adversaries()
    table = compare(crowd.votes, crowd.gold, ["dawid_skene"])
    probs = aggregate(crowd.votes, "dawid_skene").probs
    for name, metric in {"accuracy": accuracy, "ece": METRICS["ece"], "log_loss": log_loss, "brier": brier}.items():
        assert table[name][0] == pytest.approx(metric(probs, crowd.gold))
        assert 0 <= table[f"{name}_low"][0] <= table[name][0] <= table[f"{name}_high"][0]
        assert table[f"{name}_p_value"][0] == 1
    slow = bootstrap(log_loss, probs, crowd.gold)
    assert [table["log_loss_low"][0], table["log_loss_high"][0]] == pytest.approx([slow.low, slow.high])


@pytest.mark.parametrize("score", ["accuracy", "votes_log_likelihood"])
def test_a_method_that_is_clearly_worse(score: str) -> None:
    crowd = crowd_with_adversaries()
    table = compare(crowd.votes, crowd.gold if score == "accuracy" else None, ["majority", "dawid_skene"])
    assert table["method"].to_list() == ["dawid_skene", "majority"]
    best, worse = table[f"{score}_p_value"]
    assert best == 1
    assert worse < 0.05


def test_methods_that_gold_cannot_distinguish() -> None:
    crowd = crowd_with_adversaries()
    table = compare(crowd.votes, crowd.gold, ["ibcc", "dawid_skene", "ebcc"])
    assert min(table["accuracy_p_value"]) >= 0.05


def test_ranks_without_gold() -> None:
    crowd = crowd_with_adversaries()
    table = compare(crowd.votes, methods=["majority", "dawid_skene", "kos"])
    scores = table["votes_log_likelihood"].to_list()
    assert scores == sorted(scores, reverse=True)
    assert all(table["votes_log_likelihood_low"] < table["votes_log_likelihood"])
    assert all(table["votes_log_likelihood_high"] > table["votes_log_likelihood"])
    assert "accuracy" not in table.columns


def test_probabilities_of_the_model() -> None:
    crowd = crowd_with_adversaries()
    calibrated = compare(crowd.votes, crowd.gold, ["dawid_skene"])
    of_model = compare(crowd.votes, crowd.gold, ["dawid_skene"], probabilities="model")
    raw = aggregate(crowd.votes, "dawid_skene", probabilities="model").probs
    assert of_model["log_loss"][0] == pytest.approx(log_loss(raw, crowd.gold))
    assert of_model["log_loss"][0] != pytest.approx(calibrated["log_loss"][0])
    assert of_model["accuracy"][0] == calibrated["accuracy"][0]
    with pytest.raises(MethodError, match="probabilities must be one of calibrated, model"):
        compare(crowd.votes, crowd.gold, ["majority"], probabilities="raw")  # type: ignore[arg-type]


def test_a_method_that_cannot_take_the_votes_has_no_scores() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, 2, 2], [2, 2, 2]])
    table = compare(votes, [0, 1, 2], ["kos", "majority"])
    assert table["method"].to_list() == ["majority", "kos"]
    assert table["brier_p_value"].to_list() == [1, None]
    assert "two classes" in table["note"][1]
    assert compare(votes, [0, 1, 2], ["kos"])["accuracy"].to_list() == [None]


def test_the_same_twice() -> None:
    crowd = crowd_with_adversaries()
    first, second = (compare(crowd.votes, crowd.gold, ["mace", "majority"]).drop("seconds") for _ in range(2))
    assert first.equals(second)
