import json
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.aggregation import crowdkit_runs
from benchmarks.aggregation.accuracy import PAIRS, Agreed, VoteSet, measure, tied
from benchmarks.aggregation.crowdkit_runs import PeerRun, fit_in_child, run_crowdkit
from benchmarks.harness import Figures, run
from quorate import Votes, aggregate, registry


def test_without_the_sets_it_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUORATE_DATA", raising=False)
    with pytest.raises(SystemExit, match="QUORATE_DATA is not set: set it to the folder"):
        measure(Figures(), quick=True)


def test_only_our_methods_are_compared() -> None:
    assert set(PAIRS) <= set(registry.names("aggregation"))


def test_ties_of_either_side_are_left_out() -> None:
    """Four tasks with votes and one without: a tie of ours, a tie of theirs, one that agrees, one that does not."""
    votes = Votes.from_matrix([[0, 1], [0, 0], [1, 1], [0, 0], [-1, -1]])
    ours = np.array([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8], [0.7, 0.3], [0.9, 0.1]])
    theirs = np.array([[0.9, 0.1], [0.3, 0.1 + 0.2], [0.1, 0.9], [0.2, 0.8], [-np.inf, -np.inf]])
    assert tied(theirs).tolist() == [False, True, False, False, True]
    agreed = Agreed()
    assert agreed.add(VoteSet("small", votes, np.zeros(5, dtype=np.int64)), ours, PeerRun(theirs, 0)) == 0.5
    assert (
        agreed.add(VoteSet("none", votes, np.zeros(5, dtype=np.int64)), ours, PeerRun(None, 0, "not in 60 s")) is None
    )
    assert (agreed.same, agreed.compared, agreed.n_sets, agreed.lowest) == (1, 2, 1, 0.5)


def test_details_are_kept_for_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "--json", str(tmp_path / "out.json")])
    with pytest.raises(SystemExit):
        run(lambda figures, _: figures.add("right", 0.9, "", details={"sets": {"a": 0.9}}), "a benchmark")
    assert json.loads((tmp_path / "out.json").read_text())[0]["details"] == {"sets": {"a": 0.9}}


def test_runs_of_crowdkit_are_kept_where_a_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter([PeerRun(np.eye(2), 1.5), PeerRun(None, 0, "not in 60 s"), PeerRun(np.zeros((2, 2)), 2)])
    monkeypatch.setattr(crowdkit_runs, "fit_in_child", lambda *_, **__: next(runs))
    monkeypatch.setenv("CROWDKIT_RUNS", str(tmp_path))
    votes = Votes.from_matrix([[0], [1]])
    for _ in range(2):
        kept = run_crowdkit(votes, "MajorityVote")
        assert kept.scores is not None
        assert (kept.scores.tolist(), kept.seconds) == ([[1, 0], [0, 1]], 1.5)
        assert run_crowdkit(votes, "DawidSkene", n_iter=3) == PeerRun(None, 0, "not in 60 s")
    assert run_crowdkit(votes, "DawidSkene", n_iter=4).seconds == 2


@pytest.mark.filterwarnings("ignore")  # crowd-kit's own
def test_crowdkit_runs_in_a_process_of_its_own_with_a_limit() -> None:
    pytest.importorskip("crowdkit", reason="needs benchmarks/aggregation/requirements.txt")
    votes = Votes.from_matrix([[2, 2, 1], [-1, -1, -1], [1, 1, -1], [2, 1, -1]])
    found = fit_in_child(votes, "MajorityVote")
    assert found.scores is not None
    voted = votes.votes_per_task > 0
    leads = found.scores[voted] == found.scores[voted].max(axis=1, keepdims=True)
    assert np.array_equal(leads, aggregate(votes, "majority").probs[voted] > 0)
    assert fit_in_child(votes, "MajorityVote", limit=0) == PeerRun(None, 0, "not in 0 s")
    assert fit_in_child(Votes.from_matrix([[0], [1]]), "KOS").why_not == "KeyError: 0.0"
