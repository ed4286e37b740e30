import numpy as np

from quorate import aggregate
from quorate.quality.workers.glad_ability import GladAbility
from tests.crowds import small_crowd
from tests.quality.workers.worked_examples import ONE_VOTE_EACH


def test_reads_the_model() -> None:
    votes = small_crowd(2)
    posterior = aggregate(votes, "glad")
    score = GladAbility().score(votes, posterior)
    voted = votes.votes_per_worker > 0
    assert np.array_equal(score[voted], posterior.worker_model.ability[:-1][voted])  # type: ignore[union-attr]


def test_other_methods_have_none() -> None:
    assert np.isnan(GladAbility().score(ONE_VOTE_EACH, aggregate(ONE_VOTE_EACH))).all()
