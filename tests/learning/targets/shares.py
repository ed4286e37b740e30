"""Votes whose shares are easily seen, and the posterior that has these shares."""

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior

VOTES = Votes.from_matrix([[0, 0, 1, 2], [1, 1, 1, -1], [-1, -1, -1, -1]], classes=[0, 1, 2])


def posterior() -> Posterior:
    return aggregate(VOTES, "naive_soft")
