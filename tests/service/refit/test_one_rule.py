"""A round decides on a task as a vote that comes in does: all fields of the state agree, whatever the evidence."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select, update

from quorate.service.decisions.decide import decide_tasks, states_of_tasks
from quorate.service.decisions.evidence import TASK_COLUMNS, has_experts, machines_of
from quorate.service.decisions.model_versions import current_model
from quorate.service.decisions.screening import states_of_items
from quorate.service.decisions.task_state import TaskState
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.refit.fit import RoundResult, learn
from quorate.service.refit.inputs import Memory
from quorate.service.refit.predict import GIVEN, Environment
from quorate.service.refit.round import run_round
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.blobs import from_blob, to_blob
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import projects, tasks, voters, votes
from tests.service.pools import make_project, make_voters

N_ITEMS, N_CROWD, N_EXPERTS = 6, 4, 2
CRITERIA = [
    {"name": "trial", "classes": ["no", "yes"], "holds": "yes"},
    {"name": "adults", "classes": ["yes", "no"], "holds": "yes"},
]
POLICIES = ("expected_loss", "fixed_votes", "crowd_only", "first_agreeing", "threshold")

# Each vote is (task, voter, label or none, purpose); the second vote of a voter on a task amends the first.
VOTES = st.lists(
    st.tuples(
        st.integers(0, 2 * N_ITEMS - 1),
        st.integers(0, N_CROWD + N_EXPERTS - 1),
        st.sampled_from([0, 0, 1, 1, None]),
        st.sampled_from(["work", "work", "audit", "gold", "practice"]),
    ),
    max_size=40,
)
TASKS = st.lists(
    st.fixed_dictionaries(
        {
            "gold": st.sampled_from([None, None, None, 0, 1]),
            "wish": st.sampled_from([None, None, None, "label", "crowd", "expert"]),
            "least_votes": st.sampled_from([0, 0, 0, 2]),
            "audited": st.booleans(),
            "machine": st.sampled_from([None, to_blob([0.9, 0.1]), to_blob([0.2, 0.8])]),
            "ambiguity": st.sampled_from([None, 0.1, 0.9]),
        }
    ),
    min_size=2 * N_ITEMS,
    max_size=2 * N_ITEMS,
)
PRICES = st.sampled_from(
    [{"crowd": 1.0}, {"crowd": 0.0, "expert": 5.0}, {"crowd": 1.0, "expert": 5.0, "crowd0": 2.0}, {"expert": 5.0}]
)


@contextmanager
def new_store(template: Path, folder: Path) -> Iterator[Store]:
    shutil.copy(template, folder / "quorate.db")
    store = Store.open(f"sqlite:///{folder / 'quorate.db'}", clock=lambda: 1_800_000_000.0)
    yield store
    store.close()


def add_evidence(
    store: Store, project: int, cast: list[tuple[int, int, int | None, str]], changes: list[dict[str, Any]]
) -> None:
    """Write votes and wishes as they may be stored, without deciding on them."""
    people = make_voters(store, project, N_CROWD) + make_voters(store, project, N_EXPERTS, "expert")
    with store.write() as connection:
        rows = connection.execute(select(tasks.c.id, tasks.c.question_id).order_by(tasks.c.id)).all()
        for row, change in zip(rows, changes, strict=False):
            gold = 0 if change["wish"] == "label" and change["gold"] is None else change["gold"]
            connection.execute(update(tasks).where(tasks.c.id == row.id).values(change | {"gold": gold}))
        first: dict[tuple[int, int], tuple[str, int]] = {}
        for number, (task, voter, label, purpose) in enumerate(cast):
            row = rows[task % len(rows)]
            purpose, amendment = first.get((row.id, voter), (purpose, -1))
            if purpose == "practice" and amendment >= 0:
                continue  # it cannot be amended
            first[row.id, voter] = purpose, amendment + 1
            connection.execute(
                insert(votes).values(
                    project_id=project,
                    question_id=row.question_id,
                    task_id=row.id,
                    voter_id=people[voter],
                    label=label,
                    said="vote" if label is not None else "skip",
                    purpose=purpose,
                    price=0,
                    cost=0,
                    amendment=amendment + 1,
                    client_key=f"k{number}",
                    given_at=float(number),
                )
            )


def block(store: Store, codes: list[str]) -> None:
    with store.write() as connection:
        connection.execute(update(voters).where(voters.c.code.in_(codes)).values(state="blocked"))


def assert_same(live: TaskState, of_round: TaskState) -> None:
    for name in TaskState._fields:
        ours, theirs = getattr(live, name), getattr(of_round, name)
        if name == "posterior":
            np.testing.assert_allclose(from_blob(ours), from_blob(theirs), atol=1e-6)
        elif isinstance(ours, float):
            assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-8), name
        else:
            assert ours == theirs, name


def read_rows(store: Store) -> list[Record]:
    with store.read() as connection:
        query = select(*TASK_COLUMNS, tasks.c.priority, tasks.c.expected_cost, tasks.c.value, tasks.c.confidence)
        query = query.add_columns(tasks.c.posterior, tasks.c.reason, tasks.c.disputed).order_by(tasks.c.id)
        return list(connection.execute(query))


def plan_and_result(store: Store, project: int) -> tuple[Plan, RoundResult]:
    with store.read() as connection:
        plan = plan_of(connection, project, 1)
    question = next(iter(plan.questions))
    return plan, learn(store, project, question, Memory(begun=True), Environment(), lesson=False)


def add_machine(result: RoundResult) -> RoundResult:
    """Return the result with a model that uses the stored predictions."""
    stored, asked, snapshot = result.view.snapshot.stored.machine, result.view.asked, result.view.snapshot
    model = asked.policy.fit(snapshot.votes, machines_of(GIVEN, stored), snapshot.gold)
    view = replace(result.view, model=model, machine=GIVEN, predicted=stored, usable=stored)
    return replace(result, view=view, fitted=replace(result.fitted, fused=model, machine=GIVEN))


def states_of_round(result: RoundResult) -> list[TaskState]:
    view = result.view
    return [state for _, evidence in view.slices() for state in view.states(evidence, view.decide(evidence)).to_rows()]


@settings(max_examples=12, deadline=None)
@given(
    policy=st.sampled_from(POLICIES),
    prices=PRICES,
    audit_share=st.sampled_from([0.0, 0.5, 1.0]),
    cast=VOTES,
    changes=TASKS,
    blocked=st.lists(st.sampled_from(["crowd0", "crowd1", "expert0", "expert1"]), max_size=3),
    size=st.integers(1, N_ITEMS),
    with_machine=st.booleans(),
)
def test_a_slice_of_a_round_is_decided_as_its_rows_are_live(
    policy: str,
    prices: dict[str, float],
    audit_share: float,
    cast: list[tuple[int, int, int | None, str]],
    changes: list[dict[str, Any]],
    blocked: list[str],
    size: int,
    with_machine: bool,
    sqlite_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with new_store(sqlite_template, tmp_path_factory.mktemp("rounds")) as store:
        changed: dict[str, Any] = {"policy": {"name": policy}, "prices": {"votes": prices}, "audit_share": audit_share}
        project = make_project(store, N_ITEMS, votes_per_item=3, **changed)
        add_evidence(store, project, cast, changes)
        block(store, blocked)
        plan, result = plan_and_result(store, project)
        result = add_machine(result) if with_machine else result
        by_round = dict(zip(result.view.snapshot.ids.tolist(), states_of_round(result), strict=True))
        rows = read_rows(store)
        with store.read() as connection:
            experts = has_experts(connection, plan)
            for start in range(0, len(rows), size):
                part = rows[start : start + size]
                live = states_of_tasks(connection, plan, result.view.asked, result.fitted, part, experts=experts)
                for row, state in zip(part, live, strict=True):
                    assert_same(state, by_round[row.id])


@settings(max_examples=6, deadline=None)
@given(
    prices=PRICES.filter(lambda prices: "crowd" in prices),
    audit_share=st.sampled_from([0.0, 1.0]),
    cast=VOTES,
    changes=TASKS,
    blocked=st.lists(st.sampled_from(["crowd0", "expert0"]), max_size=2),
)
def test_a_round_of_a_screening_writes_what_is_decided_live(
    prices: dict[str, float],
    audit_share: float,
    cast: list[tuple[int, int, int | None, str]],
    changes: list[dict[str, Any]],
    blocked: list[str],
    sqlite_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with new_store(sqlite_template, tmp_path_factory.mktemp("screened")) as store:
        project = make_project(
            store,
            N_ITEMS,
            kind="screening",
            questions=CRITERIA,
            policy={"name": "expected_loss"},
            costs={"matrix": [[0, 30], [30, 0]]},
            prices={"votes": prices},
            audit_share=audit_share,
        )
        add_evidence(store, project, cast, [change | {"machine": None} for change in changes])
        block(store, blocked)
        run_round(store, project, {}, pace=Pace(pause=lambda seconds: None))
        rows = read_rows(store)
        items = {row.item_id for row in rows if row.status != "waiting" or row.reason}  # the others are held
        written = [row for row in rows if row.item_id in items]
        with store.read() as connection:
            plan = plan_of(connection, project, 1)
            models = {question: current_model(connection, question) for question in plan.questions}
            live = states_of_items(connection, plan, written, models)
        for row in written:
            assert_same(live[row.id], TaskState(*(row._mapping[name] for name in TaskState._fields)))


def test_of_several_experts_the_one_who_voted_or_amended_last_decides(store: Store) -> None:
    project = make_project(store, 1, prices={"votes": {"crowd": 1.0, "expert": 5.0}})
    nothing = {"gold": None, "wish": None, "least_votes": 0, "audited": False, "machine": None, "ambiguity": None}
    a, b = N_CROWD, N_CROWD + 1
    add_evidence(store, project, [(0, a, 0, "work"), (0, b, 0, "work"), (0, a, 1, "work")], [nothing])
    _, result = plan_and_result(store, project)
    assert result.view.snapshot.gold.tolist() == [1]
    with store.write() as connection:
        (state,) = decide_tasks(connection, result.view.plan, result.view.snapshot.ids.tolist(), 0.0)
    assert (state.status, state.label, state.n_votes) == ("expert", 1, 2)


@pytest.mark.parametrize("left", [0, 2_000_000])
def test_a_label_of_a_requester_stays_when_experts_cannot_be_paid_any_more(store: Store, left: int) -> None:
    project = make_project(store, 1, prices={"votes": {"crowd": 1.0, "expert": 5.0}}, budget=10)
    relabelled = {"gold": 0, "wish": "label", "least_votes": 0, "audited": False, "machine": None, "ambiguity": None}
    add_evidence(store, project, [(0, N_CROWD, 1, "work")], [relabelled])
    with store.write() as connection:
        connection.execute(update(projects).values(spent=projects.c.money_limit - left))
    run_round(store, project, {}, pace=Pace(pause=lambda seconds: None))
    (row,) = read_rows(store)
    assert (row.status, row.label) == ("expert", 0)
