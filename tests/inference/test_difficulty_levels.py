"""Levels of difficulty, against a slow reference."""

import numpy as np

from quorate import simulate_votes
from quorate.data.votes import Votes
from quorate.inference import difficulty_levels as levels
from quorate.inference.crowd_model import fit_crowd
from quorate.inference.pool_prior import shares
from quorate.typing import Array

POWERS = (0.5, 1.0, 2.0)


def slow_scores(votes: Votes, table: Array) -> Array:
    """Return the log-likelihood of the votes of each task, per level and class, vote by vote."""
    scores = np.zeros((votes.n_tasks, len(POWERS), votes.n_classes))
    for task, worker, label in zip(votes.task, votes.worker, votes.label, strict=True):
        for level, power in enumerate(POWERS):
            for true in range(votes.n_classes):
                row = table[worker, true] ** power
                scores[task, level, true] += np.log(row[label] / row.sum())
    return scores


def test_scores_are_those_of_a_loop_over_votes() -> None:
    votes = simulate_votes(n_tasks=12, classes=("a", "b", "c"), votes_per_task=3, seed=2).votes
    crowd = fit_crowd(votes, shares(votes, None))
    scores = levels.level_vote_scores(votes, crowd, POWERS, levels.level_log_rows(crowd, POWERS))
    assert np.allclose(scores, slow_scores(votes, crowd.table))


def test_parts_of_the_votes_give_the_same(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    votes = simulate_votes(n_tasks=40, votes_per_task=4, seed=3).votes
    probs = shares(votes, None)
    crowd = fit_crowd(votes, probs)
    rows = levels.level_log_rows(crowd, POWERS)
    whole = levels.level_vote_scores(votes, crowd, POWERS, rows, probs)
    monkeypatch.setattr(levels, "MAX_CELLS", 50)
    assert np.allclose(levels.level_vote_scores(votes, crowd, POWERS, rows, probs), whole)


def test_first_shares_favour_levels_near_one() -> None:
    result = levels.first_level_shares(POWERS)
    assert np.isclose(result.sum(), 1)
    assert np.argmax(result) == 1
    assert np.isclose(result[0], result[2])  # half and double are as far from one


def test_shares_of_levels_are_held_by_pseudo_tasks() -> None:
    """100 tasks of the second level, and 200 pseudo-tasks as before: (0.5 * 200, 0.5 * 200 + 100) / 300."""
    joint = np.zeros((100, 2, 2))
    joint[:, 1, 0] = 1.0
    assert np.allclose(levels.level_shares(joint, np.array([0.5, 0.5])), [1 / 3, 2 / 3])
