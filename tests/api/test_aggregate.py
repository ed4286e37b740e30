import numpy as np
import pandas as pd
import pytest

from quorate import Votes, aggregate
from quorate.aggregation.majority import Majority
from quorate.errors import MethodError, UnknownNameError, VotesError

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 1]])


def test_takes_an_object() -> None:
    assert np.array_equal(aggregate(VOTES, Majority()).probs, aggregate(VOTES, "majority").probs)


def test_refuses_options_beside_an_object() -> None:
    with pytest.raises(MethodError, match="options go with a method's name"):
        aggregate(VOTES, Majority(), tol=1)


def test_an_unknown_method_is_guessed() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'dawid_skene'"):
        aggregate(VOTES, "Dawid-Skeen")  # type: ignore[arg-type]


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(MethodError, match="one_coin has no option 'rounds': it has max_rounds, strength, tol"):
        aggregate(VOTES, "one_coin", rounds=3)


def test_options_have_their_kind() -> None:
    for options, message in (
        ({"strength": "a"}, "'strength' of one_coin is a number"),
        ({"max_rounds": 1.5}, "'max_rounds' of one_coin is a whole number"),
        ({"tol": None}, "'tol' of one_coin is a number"),
        ({"strength": float("inf")}, "strength must be above 1e-09 and finite"),
    ):
        with pytest.raises(MethodError, match=message):
            aggregate(VOTES, "one_coin", **options)
    with pytest.raises(MethodError, match="'shrink' of dawid_skene is text"):
        aggregate(VOTES, "dawid_skene", shrink=3)


def test_votes_must_be_votes() -> None:
    with pytest.raises(VotesError, match="no column 'task' for the task"):
        aggregate(pd.DataFrame(), "majority")
    with pytest.raises(VotesError, match="votes must be Votes, a frame of pandas, polars or pyarrow, or the path"):
        aggregate([[0, 1]], "majority")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="a method is a name"):
        aggregate(VOTES, None)  # type: ignore[arg-type]
