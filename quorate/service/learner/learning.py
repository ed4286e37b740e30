"""What one question teaches: a classifier, a model of who is to be trusted, and which tasks stand differently by it."""

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select, update

from quorate.decisions import ACCEPT
from quorate.protocols import TAUGHT, Fused
from quorate.replay import believed
from quorate.results import Array
from quorate.service.learner.classifier import Softmax, pack_classifier, unpack_classifier
from quorate.service.learner.items import Media
from quorate.service.learner.lessons import ask, teach
from quorate.service.learner.metrics import metrics_of
from quorate.service.learner.snapshot import STATUSES, Snapshot, read_snapshot
from quorate.service.learner.verdicts import View, changed, machines_of, moved
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import models
from quorate.service.usecases import projects as project_cases
from quorate.service.usecases.fitted import Fitted, in_use, put_in_use, version_of
from quorate.service.usecases.opening import first_votes_wanted
from quorate.service.usecases.projects import Asked, Plan, plan_of
from quorate.service.usecases.standing import WAITING
from quorate.service.usecases.tasks import has_experts

GROWTH = 1.5  # the classifier is taught again when there are so many times as many votes
WHOLE, SOME = 200_000, 100_000  # tasks: models of larger pools are fitted to all that is known, and some of the rest
NO_LEARNER = "none"
KEPT = 10  # versions whose model is kept; of older ones the numbers are


@dataclass
class Memory:
    """What the learner remembers of a question from one round to the next; after a restart it is read again.

    taught: how many votes and labels the classifier was taught. version: of the settings in the last round.
    """

    classifier: Softmax | None = None
    taught: int = 0
    version: int = 0
    begun: bool = False


@dataclass(frozen=True, eq=False)
class Facts:
    """A question as it was read."""

    plan: Plan
    asked: Asked
    snapshot: Snapshot
    before: Fitted | None
    waits: bool  # whether first votes are wanted before tasks that wait are decided on
    experts: bool
    affordable: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Learnt:
    """What came of it: the model, in use by now, and the places of tasks that are to be written."""

    view: View
    fitted: Fitted
    rows: NDArray[np.int64]
    taught: bool


def learn(store: Store, project_id: int, question_id: int, memory: Memory, *, lesson: bool, media: Media) -> Learnt:
    """Learn from all votes on a question, and put the model in use. lesson: teach, however few votes are new."""
    began = time.monotonic()
    with store.read() as connection:
        facts = _facts(connection, project_id, question_id)
        if not memory.begun:
            _recall(connection, facts, memory)
    view, taught = _taught(store, facts, memory, lesson=lesson, media=media)
    view = replace(view, model=_fitted(facts, view))
    rows, alone = _to_write(facts, view, everything=memory.version != facts.plan.version)
    informed = np.flatnonzero(facts.snapshot.informed)
    numbers = metrics_of(view, _believed(facts, view.model, view, informed), alone)
    numbers |= {"taught": memory.taught, "seconds": round(time.monotonic() - began, 3)}
    with store.write() as connection:
        fitted = _put_in_use(connection, facts, view, memory, numbers, store.clock())
    memory.begun, memory.version = True, facts.plan.version
    return Learnt(view, fitted, rows, taught)


def _facts(connection: Connection, project_id: int, question_id: int) -> Facts:
    row = project_cases.get(connection, project_id)
    plan = plan_of(connection, project_id, row.settings_version)
    asked = plan.asked[question_id]
    return Facts(
        plan=plan,
        asked=asked,
        snapshot=read_snapshot(connection, project_id, asked, row.open_draw),
        before=in_use(connection, question_id),
        waits=first_votes_wanted(connection, project_id),
        experts=has_experts(connection, plan),
        affordable=affordable(plan, asked, row),
    )


def affordable(plan: Plan, asked: Asked, row: Record) -> NDArray[np.bool_]:
    """By kind of voter, whether the money left buys one more vote; what live leases hold may yet come back."""
    kinds = asked.policy.prices.kinds
    left = None if row.money_limit is None else row.money_limit - row.spent
    return np.array([left is None or plan.cost(kind) <= left for kind in kinds], dtype=bool)


def _recall(connection: Connection, facts: Facts, memory: Memory) -> None:
    """Remember what was learnt before a restart."""
    if facts.before is None:
        return
    query = select(models.c.classifier, models.c.metrics).where(models.c.id == facts.before.id)
    row = connection.execute(query).one()
    if row.classifier is not None:
        memory.classifier = unpack_classifier(row.classifier)
        memory.taught = int(row.metrics.get("taught", 0))


def _taught(store: Store, facts: Facts, memory: Memory, *, lesson: bool, media: Media) -> tuple[View, bool]:
    """The question with what a classifier says of it, which is taught first where that is due; and whether it was."""
    snapshot = facts.snapshot
    view = View(
        plan=facts.plan,
        asked=facts.asked,
        snapshot=snapshot,
        model=_model(facts),
        machine=None,
        said=snapshot.machine,
        ambiguity=snapshot.ambiguity,
        experts=facts.experts,
        affordable=facts.affordable,
    )
    if facts.plan.settings.learner.name == NO_LEARNER:
        return view, False
    due = snapshot.evidence > 0 and (lesson or snapshot.evidence >= GROWTH * memory.taught) and not facts.waits
    if due:
        earlier = replace(view, machine=None if facts.before is None else facts.before.machine)
        rows = np.flatnonzero(snapshot.informed)
        told = _believed(facts, _model(facts), earlier, rows)
        found = teach(store, snapshot, rows, told, memory.classifier, media)
        if found is not None:
            memory.classifier, memory.taught = found.classifier, snapshot.evidence
            ranks = np.where(np.isnan(found.ambiguity), snapshot.ambiguity, found.ambiguity)
            return replace(view, machine=TAUGHT, said=found.said, ambiguity=ranks), True
    if memory.classifier is None:
        return view, False
    return replace(view, machine=TAUGHT, said=_said(store, facts, memory, media)), False


def _said(store: Store, facts: Facts, memory: Memory, media: Media) -> NDArray[np.float32]:
    """What the classifier said of the tasks; of new ones, and of all after a restart, what it says now."""
    assert memory.classifier is not None
    said = facts.snapshot.machine.copy()
    unknown = np.isnan(said).any(axis=1) | (not memory.begun)
    rows = np.flatnonzero(unknown)
    said[rows] = ask(store, memory.classifier, facts.snapshot, rows, media)
    return said


def _model(facts: Facts) -> Any:
    """The model in use, unless it was fitted to nothing."""
    return None if facts.before is None or not facts.before.n_votes else facts.before.fused


def _believed(facts: Facts, model: Fused | None, view: View, rows: NDArray[np.int64]) -> Array:
    snapshot = facts.snapshot
    machines = machines_of(view.machine, view.said[rows])
    return believed(snapshot.votes.subset(tasks=rows), machines, snapshot.gold[rows], model)


def _fitted(facts: Facts, view: View) -> Fused:
    """The model fitted to all that is known; where the pool is large, not to all of which nothing is."""
    snapshot, rows = facts.snapshot, np.arange(len(facts.snapshot.ids))
    if len(rows) > WHOLE:
        others = np.flatnonzero(~snapshot.informed)
        drawn = np.random.default_rng(0).permutation(others)[:SOME]
        rows = np.sort(np.concatenate([np.flatnonzero(snapshot.informed), drawn]))
    votes = snapshot.votes if len(rows) == len(snapshot.ids) else snapshot.votes.subset(tasks=rows)
    return facts.asked.policy.fit(votes, machines_of(view.machine, view.said[rows]), snapshot.gold[rows], _model(facts))


def _to_write(facts: Facts, view: View, *, everything: bool) -> tuple[NDArray[np.int64], float | None]:
    """Places of the tasks that stand differently; and the share of those without votes that the machine may decide."""
    snapshot, found = facts.snapshot, []
    idle, accepted = 0, 0
    for rows, pool in view.pools():
        if facts.plan.is_screening:
            probs = pool.model.posterior(pool.votes, pool.machines, pool.gold)
            different = moved(view, rows, probs) | everything
        else:
            made = view.decisions(pool)
            different = changed(view, rows, made)
            unseen = ~snapshot.informed[rows]
            idle, accepted = idle + int(unseen.sum()), accepted + int((made.action[unseen] == ACCEPT).sum())
        found.append(np.flatnonzero(different) + rows.start)
    places = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
    waiting = snapshot.status[places] == STATUSES.index(WAITING)
    held = waiting & (~snapshot.in_play[places] | (facts.waits and not view.no_money))
    return places[~held], accepted / idle if idle and view.machine is not None else None


def _put_in_use(
    connection: Connection, facts: Facts, view: View, memory: Memory, numbers: dict[str, Any], now: float
) -> Fitted:
    model_id = put_in_use(
        connection,
        facts.asked.id,
        view.model,
        n_votes=len(facts.snapshot.votes),
        machine=view.machine,
        metrics=numbers,
        at=now,
        classifier=None if view.machine is None or memory.classifier is None else pack_classifier(memory.classifier),
    )
    fitted = version_of(connection, model_id)
    old = models.c.question_id == facts.asked.id, models.c.version <= fitted.version - KEPT, models.c.fused != b""
    connection.execute(update(models).where(*old).values(fused=b"", classifier=None))
    return fitted
