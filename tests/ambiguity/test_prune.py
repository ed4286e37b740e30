import numpy as np
import pytest

from quorate import ItemScores, Votes, aggregate, identify, prune, workers
from quorate.data.item_scores import End
from quorate.errors import MethodError, VotesError
from quorate.typing import Array


def scores_of(votes: Votes, values: Array, ambiguous: End = "low") -> ItemScores:
    return ItemScores(name="any", values=values, ambiguous=ambiguous, tasks=votes.tasks)


VOTES = Votes.from_arrays(
    np.repeat(np.arange(10), 2), np.tile([0, 1], 10), np.repeat([0] * 8 + [1] * 2, 2), n_classes=2
)
VALUES = np.arange(10) / 10


def test_keeps_the_quantile_and_what_is_beyond() -> None:
    """The .1 quantile of 0, .1, ..., .9 is .09: only the first is below it."""
    assert prune(VOTES, scores_of(VOTES, VALUES), 0.1).kept.tolist() == [False] + [True] * 9


def test_high_ambiguous_scores_lose_their_high_end() -> None:
    assert prune(VOTES, scores_of(VOTES, VALUES, "high"), 0.1).kept.tolist() == [True] * 9 + [False]


def test_strict_cuts_the_quantile_too() -> None:
    values = scores_of(VOTES, np.array([0.0] + [0.5] * 9))
    assert prune(VOTES, values, 0.5).kept.sum() == 9
    assert prune(VOTES, scores_of(VOTES, VALUES), 1 / 3).kept.sum() == 7  # the quantile is .3 itself, and is kept
    assert prune(VOTES, scores_of(VOTES, VALUES), 1 / 3, strict=True).kept.sum() == 6


def test_nothing_is_cut_at_zero() -> None:
    assert prune(VOTES, scores_of(VOTES, VALUES), 0.0, strict=True).kept.all()


def test_one_quantile_per_class_spares_rare_classes() -> None:
    """Both tasks of the rare class 1 are the worst of all: one quantile wipes them out, one per class cuts one."""
    values = scores_of(VOTES, VALUES[::-1])
    assert not prune(VOTES, values, 0.2).kept[8:].any()
    by_class = prune(VOTES, values, 0.2, per_class=True, posterior=aggregate(VOTES, "majority"))
    assert by_class.kept[8:].tolist() == [True, False]
    assert by_class.kept[:8].sum() == 6


def test_no_class_is_wiped_out_even_by_a_strict_cut() -> None:
    single = Votes.from_arrays([0, 1, 2], [0, 0, 0], [0, 0, 1], n_classes=2)
    kept = prune(single, scores_of(single, np.array([0.1, 0.5, 0.0])), 0.1, per_class=True, strict=True).kept
    assert kept.tolist() == [False, True, True]


def test_the_report_counts_tasks_with_votes() -> None:
    votes = Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2, n_tasks=4)
    values = np.array([0.0, 1.0, np.nan, np.nan])
    assert prune(votes, scores_of(votes, values), 0.5).by_class().rows() == [(0, 1, 1, 1.0), (1, 1, 0, 0.0)]


def test_tasks_without_a_score_are_kept() -> None:
    values = np.where(np.arange(10) == 0, np.nan, VALUES)
    kept = prune(VOTES, scores_of(VOTES, values), 0.1).kept
    assert kept[0]
    assert kept.tolist() == [True, False] + [True] * 8


def test_votes_are_those_on_kept_tasks() -> None:
    pruned = prune(VOTES, scores_of(VOTES, VALUES), 0.1)
    assert pruned.votes.tasks.tolist() == list(range(1, 10))
    assert len(pruned.votes) == 18
    assert repr(pruned) == "Pruning(9 of 10 tasks kept)"


def test_reports_by_class_and_worker() -> None:
    pruned = prune(VOTES, scores_of(VOTES, VALUES), 0.1)
    assert pruned.by_class().rows() == [(0, 8, 1, 0.125), (1, 2, 0, 0.0)]
    assert pruned.by_worker().rows() == [(0, 10, 1, 0.1), (1, 10, 1, 0.1)]


def test_ties_are_kept_and_told() -> None:
    pruned = prune(VOTES, scores_of(VOTES, np.repeat([0.0, 1.0], 5)), 0.1)
    assert pruned.kept.all()
    assert "nothing was pruned: the most ambiguous tasks are tied" in pruned.note
    assert prune(VOTES, scores_of(VOTES, VALUES), 0.1).note == ""


def test_tells_where_no_task_has_a_score() -> None:
    pruned = prune(VOTES, scores_of(VOTES, np.full(10, np.nan)), 0.1)
    assert pruned.kept.all()
    assert pruned.note == "nothing was pruned: no task has a score, choose another score"


def test_a_share_that_ties_make_smaller_is_told() -> None:
    votes = Votes.from_matrix(np.tile([0, 1], (50, 1)))
    pruned = prune(votes, scores_of(votes, np.repeat([0.0, 1.0, 2.0], [3, 27, 20])), 0.4)
    assert int((~pruned.kept).sum()) == 3
    assert pruned.note == "3 tasks were pruned instead of 20: tied tasks are pruned all or not at all"
    assert prune(votes, scores_of(votes, np.arange(50.0)), 0.4).note == ""


def test_refuses_what_makes_no_sense() -> None:
    with pytest.raises(MethodError, match="alpha must be at least 0 and below 1, got 1"):
        prune(VOTES, scores_of(VOTES, VALUES), 1)
    with pytest.raises(VotesError, match="other tasks than the votes"):
        prune(VOTES.subset(tasks=[0, 1]), scores_of(VOTES, VALUES), 0.1)
    with pytest.raises(VotesError, match=r"quorate\.identify returns, got ndarray"):
        prune(VOTES, VALUES, 0.1)  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="prunes all tasks"):
        prune(VOTES, scores_of(VOTES, np.zeros(10)), 0.1, strict=True)
    with pytest.raises(MethodError, match="alpha must be a number, got '5%'"):
        prune(VOTES, scores_of(VOTES, VALUES), "5%")  # type: ignore[arg-type]
    with pytest.raises(VotesError, match="votes must be Votes, got ndarray"):
        prune(VALUES, scores_of(VOTES, VALUES), 0.1)  # type: ignore[arg-type]


def test_refuses_the_posterior_of_other_tasks() -> None:
    """Unnoticed, the report by class would count the labels of others."""
    other = aggregate(VOTES.subset(tasks=[0, 1]))
    with pytest.raises(VotesError, match="posterior is for other tasks"):
        prune(VOTES, scores_of(VOTES, VALUES), 0.1, posterior=other)
    with pytest.raises(VotesError, match="posterior must be a Posterior, got str"):
        prune(VOTES, scores_of(VOTES, VALUES), 0.1, posterior="majority")  # type: ignore[arg-type]


def test_a_worker_who_had_the_hard_items_is_judged_by_the_clear_ones() -> None:
    """Four workers of one skill; the last had the thirty items that everybody guesses, and ten clear ones."""
    random = np.random.default_rng(0)
    gold, hard = random.integers(0, 2, 90), np.arange(90) >= 60
    labels = np.where(hard[:, None], random.integers(0, 2, (90, 4)), gold[:, None])
    labels[:50, 3] = -1  # the last worker has the hard items and ten others
    labels[60:80, 0] = -1  # the first has few of them
    votes = Votes.from_matrix(labels)
    before = _agreement(votes)
    assert before[3] < before[0] - 0.1
    clear = prune(votes, identify(votes, "vote_entropy"), 0.3).votes
    after = _agreement(clear)
    assert after[3] > before[3]
    assert abs(after[3] - after[0]) < abs(before[3] - before[0]) / 2


def _agreement(votes: Votes) -> list[float]:
    return workers(votes, aggregate(votes, "majority"))["consensus_agreement"].to_list()
