import numpy as np
import pytest

from quorate import Votes, aggregate, simulate_votes
from quorate.api.yardsticks import by_gold, by_votes
from quorate.errors import VotesError
from quorate.inference.held_out_votes import hold_out_votes, vote_log_likelihood
from quorate.metrics import accuracy, brier


def test_gold_counts_where_there_are_votes() -> None:
    votes = Votes.from_arrays([0, 0, 1, 1, 2], [0, 1, 0, 1, 0], [0, 0, 1, 0, 1], n_classes=2, n_tasks=4)
    gold = np.array([0, 1, -1, 1])
    yardstick = by_gold(votes, gold)
    assert yardstick.n_tasks == 2
    posterior = aggregate(votes, "naive_soft")
    scores = yardstick.scores(yardstick.parts(posterior).sum(axis=0))
    measured = np.where(votes.votes_per_task > 0, gold, -1)
    assert tuple(scores) == yardstick.names
    assert scores["accuracy"] == accuracy(posterior.probs, measured) == 0.75  # a tie counts one half
    assert scores["brier"] == pytest.approx(brier(posterior.probs, measured))


def test_held_out_votes_are_averaged_over_votes() -> None:
    votes = simulate_votes(n_tasks=60, votes_per_task=7, seed=4).votes
    yardstick = by_votes(votes)
    rest, held_out = hold_out_votes(votes, 0.2)
    assert len(yardstick.votes) == len(rest) == 336
    posterior = aggregate(rest, "dawid_skene")
    scores = yardstick.scores(yardstick.parts(posterior).sum(axis=0))
    mean = vote_log_likelihood(posterior.probs, rest, held_out).mean()
    assert scores["votes_log_likelihood"] == pytest.approx(mean)
    assert yardstick.n_tasks == len(yardstick.parts(posterior)) == np.count_nonzero(held_out.votes_per_task)


def test_too_few_votes_to_hold_some_out() -> None:
    with pytest.raises(VotesError, match="3 votes are too few to hold some out: give gold labels"):
        by_votes(Votes.from_matrix([[0, 0, 1]]))
