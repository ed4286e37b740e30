from sqlalchemy import insert, select, update

from quorate.service.store.database import Store
from quorate.service.store.tables import events, tasks, voters, votes
from quorate.service.workers.gold_checks import TOO_AMBIGUOUS, VOTERS_PER_TRANSACTION, is_fair, recount
from tests.service.pools import make_project, make_voters


def answer_checks(store: Store, project: int, voter: int, labels: list[int]) -> None:
    """Answer the first tasks as checks."""
    with store.write() as connection:
        rows = connection.execute(select(tasks).where(tasks.c.project_id == project).order_by(tasks.c.id)).all()
        for task, label in zip(rows, labels, strict=False):
            row = {
                "project_id": project,
                "question_id": task.question_id,
                "task_id": task.id,
                "voter_id": voter,
                "label": label,
                "said": "vote",
                "purpose": "gold",
                "price": 0,
                "cost": 0,
                "client_key": f"{task.id}",
                "given_at": store.clock(),
            }
            connection.execute(insert(votes).values(row))


def set_ambiguity(store: Store, project: int, n: int) -> None:
    """Make the first n tasks ambiguous."""
    with store.write() as connection:
        ids = connection.execute(select(tasks.c.id).where(tasks.c.project_id == project).order_by(tasks.c.id)).scalars()
        chosen = tasks.c.id.in_(list(ids)[:n])
        connection.execute(update(tasks).where(chosen).values(ambiguity=TOO_AMBIGUOUS))


def state_of(store: Store, voter: int) -> tuple[str, int, int]:
    with store.read() as connection:
        row = connection.execute(select(voters).where(voters.c.id == voter)).one()
    return row.state, row.n_checked, row.n_right


def test_the_threshold_itself_is_too_ambiguous() -> None:
    assert is_fair(TOO_AMBIGUOUS - 0.001)
    assert not is_fair(TOO_AMBIGUOUS)


def test_ambiguous_checks_count_neither_way(store: Store) -> None:
    rules = {"minimum_accuracy": 0.6, "checks": 4}
    project = make_project(store, 6, gold=dict.fromkeys(range(6), 0), workers=rules)
    unlucky, careless, good = make_voters(store, project, 3)
    answer_checks(store, project, unlucky, [1, 1, 1, 0, 0, 0])
    answer_checks(store, project, careless, [1, 1, 1, 1, 1, 1])
    answer_checks(store, project, good, [0, 0, 0, 0, 0, 0])
    with store.write() as connection:
        connection.execute(update(voters).where(voters.c.id != good).values(state="failed"))
    assert recount(store, project) == 0
    assert state_of(store, unlucky) == ("failed", 6, 3)
    set_ambiguity(store, project, 2)
    assert recount(store, project) == 1
    assert state_of(store, unlucky) == ("active", 4, 3)
    assert state_of(store, careless) == ("failed", 4, 0)
    assert state_of(store, good) == ("active", 4, 4)
    with store.read() as connection:
        assert "voter.passed" in connection.execute(select(events.c.kind)).scalars().all()
    assert recount(store, project) == 0


def test_all_pages_are_counted(store: Store) -> None:
    project = make_project(store, 1, gold={0: 0})
    many = make_voters(store, project, VOTERS_PER_TRANSACTION * 2 + 1)
    answer_checks(store, project, many[-1], [0])
    recount(store, project)
    assert state_of(store, many[-1])[1:] == (1, 1)


def test_blocked_workers_stay_blocked(store: Store) -> None:
    project = make_project(store, 1, gold={0: 0})
    [voter] = make_voters(store, project, 1)
    with store.write() as connection:
        connection.execute(update(voters).values(state="blocked"))
    assert recount(store, project) == 0
    assert state_of(store, voter)[0] == "blocked"
