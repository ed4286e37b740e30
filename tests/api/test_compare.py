import numpy as np
import pandas as pd
import pytest

from quorate import Votes, aggregate, compare
from quorate.errors import MethodError, VotesError
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
