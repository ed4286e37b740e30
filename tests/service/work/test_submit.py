import pytest
from sqlalchemy import func, select

from quorate.service.errors import Conflict, Invalid, NotFound, Refused
from quorate.service.store.database import Store
from quorate.service.store.tables import decisions, events, items, tallies, tasks, voters, votes
from quorate.service.work.amend import amend
from quorate.service.work.submit import Answer, submit
from quorate.service.workers.gold_checks import recount
from tests.service.conftest import Clock
from tests.service.pools import ask, make_project, make_voters, money, vote


def statuses(store: Store) -> dict[str, int]:
    with store.read() as connection:
        rows = connection.execute(select(tallies.c.status, tallies.c.n).where(tallies.c.n > 0))
        return dict(rows.all())


def test_three_votes_decide_and_the_fourth_is_not_asked_for(store: Store) -> None:
    project = make_project(store, 1)
    for voter, label in zip(make_voters(store, project, 3), ("cat", "dog", "dog"), strict=True):
        assert statuses(store) == {"asking": 1}
        vote(store, voter, ask(store, voter).leases[0].id, label)
    assert statuses(store) == {"crowd": 1}
    (late,) = make_voters(store, project, 1, kind="expert")
    assert ask(store, late).state == "wait"
    with store.read() as connection:
        task, item = connection.execute(select(tasks)).one(), connection.execute(select(items)).one()
        decision = connection.execute(select(decisions)).one()
    assert (task.label, task.n_votes, task.wanted, task.reason) == (1, 3, 0, "it has the required votes")
    assert (item.decided, item.label) == (True, 1)
    assert (decision.status, decision.label, decision.n_votes) == ("crowd", 1, 3)


def test_no_item_gets_more_votes_than_it_may(store: Store) -> None:
    project = make_project(store, 1, votes_per_item=2)
    for voter in make_voters(store, project, 2):
        vote(store, voter, ask(store, voter).leases[0].id)
    assert statuses(store) == {"crowd": 1}  # though the policy wants three


def test_a_vote_sent_twice_counts_once(store: Store) -> None:
    project = make_project(store, 2)
    (voter,) = make_voters(store, project, 1)
    lease = ask(store, voter).leases[0].id
    first = vote(store, voter, lease, key="mine")
    again = vote(store, voter, lease, key="mine")
    assert (first.outcome, again.outcome, first.vote) == ("counted", "repeated", again.vote)
    assert vote(store, voter, lease, key="another").outcome == "late"
    assert money(store, project)[0] == 1_000_000


def test_a_batch_with_an_unknown_label_changes_nothing(store: Store) -> None:
    project = make_project(store, 2)
    (voter,) = make_voters(store, project, 1)
    first, second = ask(store, voter, 2).leases
    answers = [Answer(first.id, "a", "cat"), Answer(second.id, "b", "cow")]
    with pytest.raises(Invalid, match="must be one of cat, dog, got 'cow'"), store.write() as connection:
        submit(connection, voter, answers, store.clock())
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(votes)).scalar_one() == 0
    assert len(ask(store, voter, 2).leases) == 2
    assert money(store, project) == (0, 2_000_000)


def test_one_lease_takes_one_answer(store: Store) -> None:
    project = make_project(store, 1)
    (voter,) = make_voters(store, project, 1)
    lease = ask(store, voter).leases[0].id
    answers = [Answer(lease, "a", "cat"), Answer(lease, "b", "dog")]
    with pytest.raises(Invalid, match="a lease of its own"), store.write() as connection:
        submit(connection, voter, answers, store.clock())


def test_the_lease_of_another_voter_is_of_no_use(store: Store) -> None:
    project = make_project(store, 1)
    ann, ben = make_voters(store, project, 2)
    lease = ask(store, ann).leases[0].id
    assert vote(store, ben, lease).outcome == "late"
    assert vote(store, ann, lease).outcome == "counted"


def test_an_amendment_takes_the_place_of_a_vote_and_both_are_kept(store: Store, clock: Clock) -> None:
    project = make_project(store, 1, policy={"name": "fixed_votes", "options": {"n": 1}})
    (voter,) = make_voters(store, project, 1)
    first = vote(store, voter, ask(store, voter).leases[0].id, "cat").vote
    assert first is not None
    with store.write() as connection:
        second = amend(connection, voter, first, label="dog", response="vote", key="k2", now=store.clock())
        assert amend(connection, voter, first, label="dog", response="vote", key="k2", now=store.clock()) == second
    with store.read() as connection:
        assert connection.execute(select(tasks.c.label)).scalar_one() == 1
        assert [row.label for row in connection.execute(select(votes).order_by(votes.c.id))] == [0, 1]
        assert [row.label for row in connection.execute(select(decisions).order_by(decisions.c.id))] == [0, 1]
    assert money(store, project) == (1_000_000, 0)
    with pytest.raises(Conflict, match="amended already"), store.write() as connection:
        amend(connection, voter, first, label="cat", response="vote", key="k3", now=store.clock())
    clock.now += 601
    with pytest.raises(Conflict, match="600 seconds"), store.write() as connection:
        amend(connection, voter, second, label="cat", response="vote", key="k4", now=store.clock())


def test_an_answer_after_a_skip_is_paid_once_and_within_the_budget(store: Store) -> None:
    project = make_project(store, 3, budget=2.0, policy={"name": "fixed_votes", "options": {"n": 1}})
    (voter,) = make_voters(store, project, 1)
    last = vote(store, voter, ask(store, voter).leases[0].id, None, response="skip").vote
    assert money(store, project) == (0, 0)
    for label, response in (("cat", "vote"), (None, "skip"), ("dog", "vote")):
        assert last is not None
        with store.write() as connection:
            last = amend(connection, voter, last, label=label, response=response, key=f"{last}+", now=store.clock())
    assert money(store, project) == (1_000_000, 0)
    with store.read() as connection:
        row = connection.execute(select(voters).where(voters.c.id == voter)).one()
    assert (row.n_votes, row.earned) == (1, 1_000_000)
    skipped = vote(store, voter, ask(store, voter).leases[0].id, None, response="skip").vote
    assert skipped is not None
    vote(store, voter, ask(store, voter).leases[0].id, "cat")  # the last of the money
    with pytest.raises(Conflict, match="budget"), store.write() as connection:
        amend(connection, voter, skipped, label="cat", response="vote", key="late", now=store.clock())
    assert money(store, project) == (2_000_000, 0)


def voter_row(store: Store, voter: int) -> tuple[str, int, int]:
    with store.read() as connection:
        row = connection.execute(select(voters).where(voters.c.id == voter)).one()
    return row.state, row.n_checked, row.n_right


def answer_a_check(store: Store, voter: int, label: str) -> int:
    """Vote until a check comes; return the vote on it."""
    while True:
        (lease,) = ask(store, voter).leases
        receipt = vote(store, voter, lease.id, label)
        assert receipt.vote is not None
        if lease.purpose == "gold":
            return receipt.vote


def test_an_answer_to_a_check_is_amended_like_any_other(store: Store) -> None:
    rules = {"gold_share": 0.5, "minimum_accuracy": 0.6, "checks": 3}
    project = make_project(store, 60, gold=dict.fromkeys(range(30), 0), workers=rules)
    (voter,) = make_voters(store, project, 1)
    last = answer_a_check(store, voter, "dog")
    assert voter_row(store, voter) == ("active", 1, 0)
    counted = {"cat": (1, 1), "dog": (1, 0), None: (0, 0)}
    for n, label in enumerate(("cat", None, "dog", "cat", "cat")):
        with store.write() as connection:
            response = "unsure" if label is None else "vote"
            last = amend(connection, voter, last, label=label, response=response, key=f"a{n}", now=store.clock())
        assert voter_row(store, voter) == ("active", *counted[label])
    assert recount(store, project) == 0
    assert voter_row(store, voter) == ("active", 1, 1)  # counted again, it is the same
    answer_a_check(store, voter, "cat")
    last = answer_a_check(store, voter, "cat")
    with store.write() as connection:
        last = amend(connection, voter, last, label="dog", response="vote", key="b1", now=store.clock())
    assert voter_row(store, voter) == ("active", 3, 2)
    another = answer_a_check(store, voter, "dog")
    assert voter_row(store, voter)[1:] == (4, 2)
    assert voter_row(store, voter)[0] == "failed"
    with pytest.raises(Refused), store.write() as connection:
        amend(connection, voter, another, label="cat", response="vote", key="b2", now=store.clock())


def test_a_check_that_is_spoilt_by_an_amendment_is_failed(store: Store) -> None:
    rules = {"gold_share": 0.9, "minimum_accuracy": 1.0, "checks": 1}
    project = make_project(store, 20, gold=dict.fromkeys(range(10), 0), workers=rules)
    (voter,) = make_voters(store, project, 1)
    right = answer_a_check(store, voter, "cat")
    with store.write() as connection:
        amend(connection, voter, right, label="dog", response="vote", key="b1", now=store.clock())
    assert voter_row(store, voter) == ("failed", 1, 0)


def test_practice_whose_reply_was_lost_is_explained_when_it_is_sent_again(store: Store) -> None:
    project = make_project(store, 3, gold={0: 1}, workers={"practice": 1})
    (voter,) = make_voters(store, project, 1)
    lease = ask(store, voter).leases[0].id
    receipts = [vote(store, voter, lease, key="mine") for _ in range(2)]
    assert [(receipt.outcome, receipt.right) for receipt in receipts] == [("counted", "dog"), ("repeated", "dog")]


def test_practice_stays_as_it_was_answered(store: Store) -> None:
    project = make_project(store, 3, gold={0: 0}, workers={"practice": 1})
    (voter,) = make_voters(store, project, 1)
    first = vote(store, voter, ask(store, voter).leases[0].id, "dog").vote
    assert first is not None
    with pytest.raises(Conflict, match="practice"), store.write() as connection:
        amend(connection, voter, first, label="cat", response="vote", key="k2", now=store.clock())


def test_a_vote_taken_back_opens_the_task_again(store: Store) -> None:
    project = make_project(store, 1, policy={"name": "fixed_votes", "options": {"n": 1}})
    ann, ben = make_voters(store, project, 2)
    first = vote(store, ann, ask(store, ann).leases[0].id, "cat").vote
    assert first is not None
    with store.write() as connection:
        amend(connection, ann, first, label=None, response="unsure", key="k2", now=store.clock())
    assert statuses(store) == {"asking": 1}
    assert ask(store, ann).state == "wait"
    assert ask(store, ben).state == "work"


def test_only_ones_own_vote_can_be_amended(store: Store) -> None:
    project = make_project(store, 1)
    ann, ben = make_voters(store, project, 2)
    first = vote(store, ann, ask(store, ann).leases[0].id).vote
    assert first is not None
    with pytest.raises(NotFound), store.write() as connection:
        amend(connection, ben, first, label="dog", response="vote", key="k2", now=store.clock())


def test_an_expert_decides_alone_and_audits_drawn_tasks(store: Store) -> None:
    prices = {"votes": {"crowd": 1, "expert": 10}}
    project = make_project(
        store, 1, prices=prices, audit_share=1.0, policy={"name": "fixed_votes", "options": {"n": 1}}
    )
    (worker,), (expert,) = make_voters(store, project, 1), make_voters(store, project, 1, kind="expert")
    assert ask(store, expert).state == "wait"
    vote(store, worker, ask(store, worker).leases[0].id, "cat")
    assert statuses(store) == {"crowd": 1}
    (audit,) = ask(store, expert).leases
    assert audit.purpose == "audit"
    vote(store, expert, audit.id, "dog")
    assert statuses(store) == {"expert": 1}
    with store.read() as connection:
        assert connection.execute(select(tasks.c.label)).scalar_one() == 1
    assert money(store, project) == (11_000_000, 0)


def test_a_low_budget_is_logged_once(store: Store) -> None:
    project = make_project(store, 4, budget=10.0)
    counts = []
    for voter in make_voters(store, project, 3):
        while (assignment := ask(store, voter)).leases:
            vote(store, voter, assignment.leases[0].id)
            with store.read() as connection:
                low = select(func.count()).select_from(events).where(events.c.kind == "budget.low")
                counts.append(connection.execute(low).scalar_one())
    assert counts == [0] * 8 + [1, 1]
