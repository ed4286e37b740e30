import numpy as np

from benchmarks.decision.audit_runs import audit_order, audited
from benchmarks.decision.resampled import TaughtByOthers, copied
from benchmarks.decision.rows import Pool
from benchmarks.decision.watched import Watched
from quorate import simulate_votes
from quorate.data.costs import Costs
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.replay.pool import replay

CROWD = simulate_votes(n_tasks=60, votes_per_task=4, seed=0)


def test_a_copy_has_the_votes_of_its_item() -> None:
    items = np.array([5, 5, 0, 59, 5])
    found = copied(CROWD.votes, items)
    for task, item in enumerate(items):
        theirs, ours = CROWD.votes.task == item, found.task == task
        assert found.worker[ours].tolist() == CROWD.votes.worker[theirs].tolist()
        assert found.label[ours].tolist() == CROWD.votes.label[theirs].tolist()


def test_no_copy_of_an_item_teaches_what_is_asked_of_another() -> None:
    """Features that tell every item apart: had a copy taught it, the classifier would know the label by heart."""
    items = np.repeat(np.arange(60), 20)
    labels = np.random.default_rng(0).integers(0, 2, 60)[items]
    x = np.eye(60)[items]
    said = TaughtByOthers(x, items).learn(copied(CROWD.votes, items), np.eye(2)[labels], np.full(1200, -1))
    assert np.abs((said.argmax(axis=1) == labels).mean() - 0.5) < 0.2
    assert np.ptp(said[items == 3], axis=0).max() < 1e-9


def test_the_first_audited_are_those_that_the_engine_warms_up_with() -> None:
    """So that what is bought before it is decided on the audit is bought again by the replay, and counted."""
    policy = ExpectedLoss(costs=Costs.of_error(20, 2))
    watched = Watched(policy=policy, only_warm_up=True)
    plain = replay(watched, CROWD.votes, CROWD.gold, seed=3)
    first = audit_order(CROWD.votes, 3)[: policy.warm_up(60, {}).tasks]
    assert sorted(first) == np.flatnonzero(plain.votes).tolist()
    known = audited(Pool(CROWD.votes, CROWD.gold, None, None), 3, 40)
    with_gold = replay(watched, CROWD.votes, CROWD.gold, known_gold=known, seed=3)
    assert with_gold.votes.tolist() == plain.votes.tolist()
    assert watched.state.gold.tolist() == known.tolist()
