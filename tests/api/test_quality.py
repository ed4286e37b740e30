import numpy as np
import pandas as pd
import pytest

from quorate import Votes, aggregate, copies, items, registry, workers
from quorate.errors import VotesError
from tests.crowds import with_copy

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 1]])


class TestWorkers:
    def test_has_every_score(self) -> None:
        tasks = np.arange(12)
        rows = [
            {"task": t, "worker": w, "label": t % 2, "seconds": s} for t in tasks for w, s in (("a", 2.5), ("b", 2.0))
        ]
        table = workers(Votes.from_frame(pd.DataFrame(rows)))
        scores = registry.names("quality.workers")
        unknown = {"copying", "glad_ability"}  # too few workers, another method
        known = [name for name in scores if name not in unknown]
        assert table.columns.tolist() == ["worker", "votes", *known, "note"]
        assert table["median_seconds"].tolist() == [2.5, 2.0]
        assert table["note"].tolist() == ["", ""]

    def test_too_few_votes_state_nothing(self) -> None:
        """Worker 0 votes on all tasks, 1 on nine of them, 2 alone on twelve others."""
        tasks = np.concatenate([np.arange(12), np.arange(9), np.arange(12, 24), np.arange(12)])
        names = np.repeat([0, 1, 2, 3], [12, 9, 12, 12])
        votes = Votes.from_arrays(tasks, names, tasks % 2, n_classes=2)
        for posterior in (None, aggregate(votes, "glad"), aggregate(votes, "majority")):
            table = workers(votes, posterior)
            assert table["note"].to_list() == ["", "too few votes", "too few shared tasks", ""]
            observed = {"worker", "votes", "note", "peer_agreement"}
            by_consensus = table.select(name for name in table.columns if name not in observed).to_numpy()
            assert np.isnan(by_consensus[1:3]).all()
            assert not np.isnan(by_consensus[[0, 3]]).any()
            assert table["consensus_agreement"].to_list()[::3] == [1, 1]

    def test_nothing_is_stated_about_a_worker_who_is_alone(self) -> None:
        table = workers(Votes.from_arrays(np.arange(20), np.zeros(20, int), np.arange(20) % 2, n_classes=2))
        assert table["note"].to_list() == ["too few shared tasks"]
        ranking = ["consensus_agreement", "consensus_high", "consensus_low"]
        assert table.drop("worker", "votes", "note").columns == ranking
        assert np.isnan(table["consensus_agreement"].to_list()).all()

    def test_gold_makes_votes_comparable(self) -> None:
        votes = Votes.from_arrays(np.arange(20), np.zeros(20, int), np.arange(20) % 2, n_classes=2)
        gold = np.where(np.arange(20) < 10, 0, -1)
        table = workers(votes, aggregate(votes, "dawid_skene", gold=gold))
        assert table["consensus_agreement"].to_list() == [0.5]

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
        many = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 1]] * 4)
        assert "glad_ability" in workers(many, aggregate(many, "glad")).columns

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
