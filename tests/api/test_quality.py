import numpy as np
import pandas as pd
import pytest

from quorate import Votes, aggregate, copies, items, registry, workers
from quorate.errors import VotesError
from tests.crowds import with_copy

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 1]])


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
