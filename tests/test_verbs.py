import numpy as np
import pandas as pd
import pytest

from quorate import Votes, aggregate, agreement, compare, workers
from quorate.aggregation.majority import Majority
from quorate.errors import MethodError, UnknownNameError, VotesError
from tests.crowds import small_crowd

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 1]])


class TestAggregate:
    def test_takes_an_object(self) -> None:
        assert np.array_equal(aggregate(VOTES, Majority()).probs, aggregate(VOTES, "majority").probs)

    def test_refuses_options_beside_an_object(self) -> None:
        with pytest.raises(MethodError, match="options go with a method's name"):
            aggregate(VOTES, Majority(), tol=1)

    def test_an_unknown_method_is_guessed(self) -> None:
        with pytest.raises(UnknownNameError, match="did you mean 'dawid_skene'"):
            aggregate(VOTES, "Dawid-Skeen")

    def test_an_unknown_option_is_named(self) -> None:
        with pytest.raises(MethodError, match="one_coin has no option 'rounds': it has max_rounds, strength, tol"):
            aggregate(VOTES, "one_coin", rounds=3)

    def test_options_have_their_kind(self) -> None:
        for options, message in (
            ({"strength": "a"}, "'strength' of one_coin is a number"),
            ({"max_rounds": 1.5}, "'max_rounds' of one_coin is a whole number"),
            ({"tol": None}, "'tol' of one_coin is a number"),
            ({"strength": float("inf")}, "strength must be a number above zero"),
        ):
            with pytest.raises(MethodError, match=message):
                aggregate(VOTES, "one_coin", **options)
        with pytest.raises(MethodError, match="'shrink' of dawid_skene is text"):
            aggregate(VOTES, "dawid_skene", shrink=3)

    def test_votes_must_be_votes(self) -> None:
        with pytest.raises(VotesError, match=r"make them with Votes.from_frame"):
            aggregate(pd.DataFrame(), "majority")  # type: ignore[arg-type]
        with pytest.raises(MethodError, match="a method is a name"):
            aggregate(VOTES, None)  # type: ignore[arg-type]


class TestCompare:
    def test_refuses_gold_that_does_not_fit(self) -> None:
        for gold in ([1], [0, 1, 7]):
            with pytest.raises(VotesError, match="gold"):
                compare(VOTES, gold)

    def test_a_perfect_log_loss_comes_first(self) -> None:
        votes = Votes.from_matrix([[0, 0], [1, 1]])
        assert compare(votes, [0, 1])["log_loss"][0] == 0

    def test_measures_where_there_are_votes_and_gold(self) -> None:
        votes = small_crowd(3)
        gold = np.where(np.arange(votes.n_tasks) % 2, aggregate(votes, "majority").labels, -1)
        table = compare(votes, gold, ["majority", "dawid_skene"])
        assert table["method"][0] == "majority"
        assert table["rounds"].to_list()[0] == 0

    def test_comes_in_the_frame_that_went_in(self) -> None:
        frame = pd.DataFrame({"task": [1, 1], "worker": ["a", "b"], "label": [0, 1]})
        assert isinstance(compare(Votes.from_frame(frame), np.array([1]), ["majority"]), pd.DataFrame)

    def test_says_when_there_is_nothing_to_measure(self) -> None:
        with pytest.raises(VotesError, match="nothing to measure"):
            compare(VOTES, np.array([-1, -1, -1]))

    def test_reports_each_method(self) -> None:
        seen: list[str] = []
        compare(VOTES, np.array([0, 1, 1]), ["majority", "glad"], on_method=seen.append)
        assert seen == ["majority", "glad"]


class TestWorkers:
    def test_has_every_score(self) -> None:
        votes = Votes.from_frame(
            pd.DataFrame({"task": [1, 1, 2], "worker": ["a", "b", "a"], "label": [0, 1, 1], "seconds": [1.0, 2.0, 4.0]})
        )
        table = workers(votes)
        assert table.columns.tolist() == ["worker", "votes", "accuracy", "consensus_agreement", "median_seconds"]
        assert table["median_seconds"].tolist() == [2.5, 2.0]

    def test_a_worker_without_times(self) -> None:
        rows = {"task": [1, 1], "worker": ["a", "b"], "label": [0, 1], "seconds": [3.0, None]}
        assert np.isnan(workers(Votes.from_frame(pd.DataFrame(rows)))["median_seconds"][1])

    def test_refuses_a_posterior_of_other_votes(self) -> None:
        with pytest.raises(VotesError, match="the posterior is of other tasks"):
            workers(VOTES, aggregate(Votes.from_matrix([[0, 1]])))

    def test_accuracy_is_unknown_without_a_model(self) -> None:
        assert np.isnan(workers(VOTES, aggregate(VOTES, "majority"))["accuracy"].to_numpy()).all()


class TestAgreement:
    def test_is_unknown_where_nobody_meets(self) -> None:
        assert all(
            np.isnan(value) for value in agreement(Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2)).values()
        )
