"""What a policy decides on a whole pool, some tasks at a time, and which tasks stand differently by it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ACCEPT, ASK, UNCLASSIFIABLE, Decisions
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState
from quorate.decision.budget import NO_MONEY
from quorate.decision.pool_decisions import accept_gold
from quorate.decision.selection import settle
from quorate.service.decisions import task_state as standing
from quorate.service.decisions.evidence import AN_EXPERT
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.refit.snapshot import STATUSES, WISHES, Snapshot
from quorate.typing import Array

SLICE = 20_000  # tasks that are decided on together
MOVED, MACHINE_MOVED, RANK_MOVED = 1e-3, 5e-3, 0.05  # what is too little to be written down again
VALUE_MOVED = 0.1  # share by which the worth of a vote must change


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolView:
    """A question as the learner sees it in one round: what was read, and what has been learnt from it.

    machine: the name of the classifier; None = people alone. predicted: (n_tasks, n_classes), what it says; said: the
    same where decisions may look at it, NaN elsewhere. due: tasks whose items it is charged for when they are written.
    ambiguity: NaN where nothing is known. affordable: by kind of voter, whether the money left buys one more vote.
    """

    plan: Plan
    asked: QuestionPlan
    snapshot: Snapshot
    model: Fused
    machine: str | None
    predicted: NDArray[np.float32]
    said: NDArray[np.float32]
    due: NDArray[np.bool_]
    ambiguity: Array
    experts: bool
    affordable: NDArray[np.bool_]

    @property
    def no_money(self) -> bool:
        """Whether no more votes can be bought at all."""
        return not self.affordable.any()

    @property
    def given_up(self) -> dict[str, Any]:
        """What of a task is not waited for any more, since it cannot be paid: first votes, or what was wished for."""
        kinds = self.asked.policy.prices.kinds
        if self.no_money:
            return {"least_votes": 0, "wish": None}
        return {"wish": None} if EXPERT in kinds and not self.affordable[kinds.index(EXPERT)] else {}

    def pools(self) -> Iterator[tuple[slice, PoolState]]:
        """The pool, some tasks at a time."""
        votes = self.snapshot.votes
        starts = np.searchsorted(votes.task, np.arange(0, votes.n_tasks + SLICE, SLICE))
        for number, first in enumerate(range(0, votes.n_tasks, SLICE)):
            rows = slice(first, min(first + SLICE, votes.n_tasks))
            yield rows, self._pool(rows, slice(starts[number], starts[number + 1]))

    def decisions(self, pool: PoolState) -> Decisions:
        """What the policy decides; where no more votes can be bought, tasks take what is left to them."""
        if self.no_money:
            made = accept_gold(self.asked.policy.decide(pool), pool.gold, self.asked.policy.costs)
            return settle(made, self.asked.policy.prices, budget=NO_MONEY, rest=self.plan.settings.rest)
        payable = replace(pool, open=pool.open & self.affordable)
        return accept_gold(self.asked.policy.decide(payable), pool.gold, self.asked.policy.costs)

    def _pool(self, rows: slice, own: slice) -> PoolState:
        votes = self.snapshot.votes
        part = Votes(
            task=votes.task[own] - rows.start,
            worker=votes.worker[own],
            label=votes.label[own],
            tasks=votes.tasks[rows],
            workers=votes.workers,
            classes=votes.classes,
        )
        return self._state(part, rows)

    def some(self, rows: NDArray[np.int64]) -> PoolState:
        """Some tasks of the pool, by their places, with the workers who voted on them."""
        votes = self.snapshot.votes.subset(tasks=rows)
        return self._state(votes.subset(workers=np.unique(votes.worker)), rows)

    def _state(self, votes: Votes, rows: slice | NDArray[np.int64]) -> PoolState:
        gold, rank = self.snapshot.gold[rows], self.ambiguity[rows]
        return PoolState(
            votes=votes,
            machines=machines_of(self.machine, self.said[rows]),
            model=self.model,
            gold=gold,
            open=self._open(votes, gold),
            ambiguity=None if np.isnan(rank).all() else np.where(np.isnan(rank), 0.5, rank),
        )

    def _open(self, votes: Votes, gold: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whom each task can still be put to: nobody once it is known; a named voter once; the crowd up to a limit."""
        kinds = self.asked.policy.prices.kinds
        there = np.repeat((gold < 0)[:, None], len(kinds), axis=1)
        if CROWD in kinds:
            there[:, kinds.index(CROWD)] &= votes.votes_per_task < self.asked.max_votes
        if EXPERT in kinds and not self.experts:
            there[:, kinds.index(EXPERT)] = False
        for number, code in enumerate(votes.workers.tolist()):
            if code in kinds:
                there[votes.task[votes.worker == number], kinds.index(code)] = False
        return there


def machines_of(name: str | None, said: NDArray[np.float32]) -> Machines:
    """What a classifier says, as policies take it: all classes alike where it has said nothing."""
    if name is None:
        return {}
    probs = np.where(np.isnan(said), 1 / said.shape[1], said).astype(np.float64)
    return {name: probs / probs.sum(axis=1, keepdims=True)}


def changed(view: PoolView, rows: slice, made: Decisions) -> NDArray[np.bool_]:
    """Which tasks of a slice stand differently by these decisions, or have moved by more than a little."""
    snapshot, asks = view.snapshot, view.asked.policy.prices.kinds
    known, n_votes = snapshot.gold[rows] >= 0, snapshot.votes.votes_per_task[rows]
    first = ~known & (n_votes < snapshot.least_votes[rows]) & (not view.no_money)
    whom = np.where(first, asks.index(CROWD) if CROWD in asks else -1, made.ask)
    if view.experts and not view.given_up:
        wished = (snapshot.wish[rows] == WISHES.index(AN_EXPERT)) & ~snapshot.by_expert[rows]
        first, whom = first | wished, np.where(wished, asks.index(EXPERT), whom)
    action = np.where(first, ASK, made.action)
    status = _status(action, known, n_votes > 0)
    differs = (status != snapshot.status[rows]) | (made.label != snapshot.label[rows])
    differs |= (action == ASK) & (whom != snapshot.ask[rows])
    before, after = snapshot.value[rows], made.value
    by_much = ~(np.abs(after - before) <= VALUE_MOVED * np.maximum(np.abs(after), np.abs(before)))
    differs |= (action == ASK) & ~first & by_much
    return differs | _to_audit(view, rows, status) | moved(view, rows, made.probs)


def _to_audit(view: PoolView, rows: slice, status: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which accepted tasks are drawn for an audit that nobody is asked for yet: the share or the expert came later."""
    asks, snapshot = view.asked.policy.prices.kinds, view.snapshot
    if not view.experts or EXPERT not in asks:
        return np.zeros(len(status), dtype=bool)
    drawn = np.modf(snapshot.draw[rows] * standing.SCATTER)[0] < view.plan.settings.audit_share
    accepted = np.isin(status, [STATUSES.index(standing.MACHINE), STATUSES.index(standing.BY_CROWD)])
    found: NDArray[np.bool_] = accepted & drawn & (snapshot.ask[rows] != asks.index(EXPERT))
    return found


def moved(view: PoolView, rows: slice, probs: Array) -> NDArray[np.bool_]:
    """Which tasks are believed to be something else, by more than a little."""
    snapshot = view.snapshot
    found = ~(np.abs(probs - snapshot.posterior[rows]).max(axis=1) <= MOVED)
    if view.machine is not None:
        found |= view.due[rows] | far(view.predicted[rows], snapshot.machine[rows], MACHINE_MOVED)
    return found | far(view.ambiguity[rows, None], snapshot.ambiguity[rows, None], RANK_MOVED)


def far(after: NDArray[np.floating], before: NDArray[np.floating], most: float) -> NDArray[np.bool_]:
    """Whether rows differ by more than `most` anywhere; what is known now and was not before does."""
    gap = np.abs(after - before).max(axis=1)
    found: NDArray[np.bool_] = ~np.isnan(after).any(axis=1) & ~(gap <= most)
    return found


def _status(action: NDArray[np.int8], known: NDArray[np.bool_], voted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The status that goes with each decision, as an index into STATUSES; see `standing.status_of`."""
    place = {name: STATUSES.index(name) for name in STATUSES}
    by = np.where(known, place[standing.BY_EXPERT], np.where(voted, place[standing.BY_CROWD], place[standing.MACHINE]))
    rest = np.where(action == UNCLASSIFIABLE, place[standing.UNCLASSIFIABLE], place[standing.NO_MONEY])
    return np.where(action == ASK, place[standing.ASKING], np.where(action == ACCEPT, by, rest))
