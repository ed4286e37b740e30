"""The score of votes beside their majority."""

from quorate import Votes, aggregate
from quorate.protocols import Agreement


def score(scorer: Agreement, votes: Votes) -> float:
    return scorer.score(votes, aggregate(votes, "majority"))
