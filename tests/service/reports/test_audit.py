from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from quorate.audit.bounds.anytime import most_wrong_anytime
from quorate.service.decisions.counted_votes import AUDIT
from quorate.service.decisions.task_state import drawn_for_audit
from quorate.service.items.overrides import relabel
from quorate.service.projects.plan import plan_of
from quorate.service.reports.audit import read_audit
from quorate.service.store.database import Store
from quorate.service.store.tables import questions
from quorate.service.work.submit import Answer, submit
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.learner.test_publish import get_progress
from tests.service.pools import ask, make_voters

PRICES = {"votes": {"crowd": 1.0, "expert": 1000.0}}  # so expensive that only the audit asks for one


def audit_all(world: World, expert: int, wrong_keys: set[str]) -> int:
    """Let an expert audit all drawn labels, and reject those of some keys; return the number of answers."""
    n = 0
    while leases := ask(world.store, expert, 20).leases:
        labels = {row.key: row.label for row in world.rows()}
        assert {lease.purpose for lease in leases} == {AUDIT}
        answers = []
        for lease in leases:
            key = world.keys[lease.item_id]
            label = labels[key] ^ (key in wrong_keys)
            answers.append(Answer(lease.id, f"e{lease.id}", ("cat", "dog")[label]))
        with world.store.write() as connection:
            submit(connection, expert, answers, world.clock.now)
        n += len(answers)
    return n


def test_the_audit_compares_accepted_labels_with_those_of_the_expert(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    world = make_world(store, clock, 80, prices=PRICES, audit_share=0.4, learner={"name": "none"})
    [expert] = make_voters(store, world.project, 1, kind="expert")
    for _ in range(30):
        world.people_vote()
        world.learner.run_due_rounds()
    audited = {row.key for row in world.rows() if row.audited}
    assert len(audited) > 15
    wrong = set(sorted(audited)[:2])
    n = audit_all(world, expert, wrong)
    assert n == len(audited)
    clock.now += 60
    world.learner.run_due_rounds()
    with store.read() as connection:
        [question] = connection.execute(select(questions)).all()
        assert read_audit(connection, question.id) == (n, 2)
    assert (question.report["audited"], question.report["wrong"]) == (n, 2)
    certificate = get_progress(store, world.project, tmp_path)["certificate"]
    accepted = sum(row.status in ("crowd", "machine") for row in world.rows())
    bound = most_wrong_anytime(2, n, delta=0.1)
    assert certificate == {"accepted": accepted + n, "audited": n, "wrong": 2, "bound": bound, "delta": 0.1}
    assert 2 / n < bound < 1


def test_labels_accepted_before_the_expert_joined_are_audited_too(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 80, prices=PRICES, audit_share=0.4, learner={"name": "none"})
    for _ in range(4):
        world.people_vote()
        world.learner.run_due_rounds()
    before = [row for row in world.rows() if row.status == "crowd"]
    assert before
    assert not any(row.audited for row in before)
    make_voters(store, world.project, 1, kind="expert")
    world.people_vote()
    clock.now += 60
    world.learner.run_due_rounds()
    accepted = [row for row in world.rows() if row.status == "crowd"]
    assert {row.key for row in accepted if row.audited} == {
        row.key for row in accepted if drawn_for_audit(np.array(row.draw), 0.4)
    }
    assert any(row.audited for row in world.rows() if row.id in {task.id for task in before})


def test_an_answer_of_an_expert_to_a_hard_task_is_no_audit(store: Store, clock: Clock) -> None:
    """Check that tasks which the policy sends to the expert, no random sample of accepted labels, are left out."""
    world = make_world(store, clock, 40, prices={"votes": {"crowd": 1.0, "expert": 1.0}}, learner={"name": "none"})
    [expert] = make_voters(store, world.project, 1, kind="expert")
    world.people_vote(share=1.0)
    world.learner.run_due_rounds()
    leases = ask(store, expert, 5).leases
    assert leases
    with store.write() as connection:
        submit(connection, expert, [Answer(lease.id, f"e{lease.id}", "cat") for lease in leases], clock.now)
    clock.now += 60
    world.learner.run_due_rounds()
    with store.read() as connection:
        [question] = connection.execute(select(questions)).all()
    assert any(row.status == "expert" for row in world.rows())
    assert question.report["audited"] == 0


def test_a_label_given_by_the_requester_is_no_audit(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, prices=PRICES, audit_share=1.0, learner={"name": "none"})
    make_voters(store, world.project, 1, kind="expert")
    for _ in range(12):
        world.people_vote()
        world.learner.run_due_rounds()
    drawn = next(row for row in world.rows() if row.audited)
    with store.write() as connection:
        plan = plan_of(connection, world.project, 1)
        other = ("dog", "cat")[drawn.label]
        relabel(connection, plan, drawn.item_id, None, other, actor="test", now=clock.now)
        assert read_audit(connection, drawn.question_id) == (0, 0)
    assert next(row for row in world.rows() if row.id == drawn.id).status == "expert"


@pytest.mark.long
def test_the_error_of_fixed_votes_follows_from_the_accuracy(store: Store, clock: Clock, tmp_path: Path) -> None:
    world = make_world(store, clock, 400, learner={"name": "none"}, n_voters=60)
    world.accuracy = 0.6  # plus half of the others by chance: .8
    for _ in range(12):
        world.people_vote(share=1.0)
        world.learner.run_due_rounds()
    three, five = get_progress(store, world.project, tmp_path)["fixed"]
    # Independent votes: 3 * .8 * .2^2 + .2^3 = .104, and .058. What is stated allows for votes that err together.
    assert three["error"] == pytest.approx(0.204, abs=0.06)
    assert five["error"] == pytest.approx(0.174, abs=0.06)
    assert five["error"] < three["error"]
