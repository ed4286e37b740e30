import numpy as np
import pandas as pd
import pytest

from quorate import Votes, aggregate, agreement, compare, copies, items, registry, workers
from quorate.aggregation.majority import Majority
from quorate.errors import MethodError, UnknownNameError, VotesError
from tests.crowds import small_crowd, with_copy

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
            ({"strength": float("inf")}, "strength must be above 1e-09 and finite"),
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
        scores = registry.names("quality.workers")
        unknown = {"copying", "glad_ability"}  # too few tasks, another method
        assert table.columns.tolist() == ["worker", "votes", *(name for name in scores if name not in unknown)]
        assert table["median_seconds"].tolist() == [2.5, 2.0]

    def test_a_worker_without_times(self) -> None:
        rows = {"task": [1, 1], "worker": ["a", "b"], "label": [0, 1], "seconds": [3.0, None]}
        assert np.isnan(workers(Votes.from_frame(pd.DataFrame(rows)))["median_seconds"][1])

    def test_refuses_a_posterior_of_other_votes(self) -> None:
        with pytest.raises(VotesError, match="the posterior is of other tasks"):
            workers(VOTES, aggregate(Votes.from_matrix([[0, 1]])))

    def test_what_is_unknown_for_all_is_left_out(self) -> None:
        columns = workers(VOTES, aggregate(VOTES, "majority")).columns
        assert "consensus_agreement" in columns
        assert not {"accuracy", "speed", "glad_ability"} & set(columns)
        assert "glad_ability" in workers(VOTES, aggregate(VOTES, "glad")).columns

    def test_nobody_is_named(self) -> None:
        assert len(workers(Votes.from_counts([[2, 1]]))) == 0


class TestItems:
    def test_has_every_score(self) -> None:
        table = items(VOTES, aggregate(VOTES, "glad"))
        of_votes = [
            name for name in registry.names("ambiguity") if registry.method_class("ambiguity", name).reads == "votes"
        ]
        assert table.columns == ["task", "votes", "label", "confidence", *of_votes]
        assert table["label"].to_list() == [0, 1, 1]

    def test_leaves_out_what_the_method_cannot_tell(self) -> None:
        assert "glad_difficulty" not in items(VOTES, aggregate(VOTES, "majority")).columns

    def test_refuses_a_posterior_of_other_votes(self) -> None:
        with pytest.raises(VotesError, match="the posterior is of other tasks"):
            items(VOTES, aggregate(Votes.from_matrix([[0, 1]])))


class TestCopies:
    def test_names_the_pair(self) -> None:
        votes = with_copy(votes_per_task=8)
        table = copies(votes)
        assert table.select("worker", "other").rows() == [(0, votes.n_workers - 1)]
        assert table["agreement"][0] > 0.85 > table["expected"][0]
        assert table["z"][0] > 5


class TestAgreement:
    def test_is_unknown_where_nobody_meets(self) -> None:
        scores = agreement(Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2))
        assert {name for name, value in scores.items() if not np.isnan(value)} == {"consistency"}

    def test_refuses_a_posterior_of_other_votes(self) -> None:
        with pytest.raises(VotesError, match="the posterior is of other tasks"):
            agreement(VOTES, aggregate(Votes.from_matrix([[0, 1]])))
