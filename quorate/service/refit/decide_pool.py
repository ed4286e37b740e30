"""Decisions on a whole pool in one round, in slices, and which tasks they change."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import EXPERT
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.base import Fused, PoolState
from quorate.decision.budget import NO_MONEY
from quorate.decision.pool_decisions import accept_gold
from quorate.decision.selection import settle
from quorate.service.decisions.evidence import AN_EXPERT, WISHES, Evidence, pool_of
from quorate.service.decisions.task_state import (
    ASKING_INDEX,
    TaskStates,
    lacks_first_votes,
    task_states,
    wants_expert,
)
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.refit.snapshot import Snapshot
from quorate.typing import Array

SLICE = 20_000  # tasks that are decided on together
MOVED, MACHINE_MOVED, RANK_MOVED = 1e-3, 5e-3, 0.05  # smaller changes of probabilities and ranks are not written
VALUE_MOVED = 0.1  # smaller relative changes of the value of a vote are not written


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolView:
    """A question in one round: what was read, and what has been learned from it.

    Attributes:
        plan: the plan of the project.
        asked: the question.
        snapshot: what was read.
        model: the model that was fitted.
        machine: the name of the classifier; None = people alone.
        predicted: (n_tasks, n_classes), output of the classifier; NaN = none.
        usable: the same where decisions may use it, NaN elsewhere.
        due: tasks whose items the classifier is charged for when they are written.
        ambiguity: rank from 0 to 1; NaN = unknown.
        experts: whether there are experts to ask.
        affordable: by annotator kind, whether the money left buys one more vote.
    """

    plan: Plan
    asked: QuestionPlan
    snapshot: Snapshot
    model: Fused
    machine: str | None
    predicted: NDArray[np.float32]
    usable: NDArray[np.float32]
    due: NDArray[np.bool_]
    ambiguity: Array
    experts: bool
    affordable: NDArray[np.bool_]

    @property
    def no_money(self) -> bool:
        """Whether no more votes can be bought at all."""
        return not self.affordable.any()

    def slices(self) -> Iterator[tuple[slice, Evidence]]:
        """Yield the evidence on the pool, some tasks at a time."""
        votes = self.snapshot.votes
        starts = np.searchsorted(votes.task, np.arange(0, votes.n_tasks + SLICE, SLICE))
        for number, first in enumerate(range(0, votes.n_tasks, SLICE)):
            rows = slice(first, min(first + SLICE, votes.n_tasks))
            yield rows, self._evidence(self._votes(rows, slice(starts[number], starts[number + 1])), rows)

    def _votes(self, rows: slice, own: slice) -> Votes:
        votes = self.snapshot.votes
        return Votes(
            task=votes.task[own] - rows.start,
            worker=votes.worker[own],
            label=votes.label[own],
            tasks=votes.tasks[rows],
            workers=votes.workers,
            classes=votes.classes,
        )

    def subset(self, rows: NDArray[np.int64]) -> PoolState:
        """Return the state of some tasks of the pool, by index, with the workers who voted on them."""
        votes = self.snapshot.votes.subset(tasks=rows)
        return self.pool(self._evidence(votes.subset(workers=np.unique(votes.worker)), rows))

    def _evidence(self, votes: Votes, rows: slice | NDArray[np.int64]) -> Evidence:
        snapshot, stored = self.snapshot, self.snapshot.stored
        evidence = Evidence(
            votes=votes,
            gold=snapshot.gold[rows],
            n_expert_votes=snapshot.n_expert_votes[rows],
            least_votes=stored.least_votes[rows],
            wish=stored.wish[rows],
            audited=stored.audited[rows],
            draw=snapshot.draw[rows],
            predictions=self.usable[rows],
            ambiguity=self.ambiguity[rows],
        )
        return self.without_unpayable(evidence)

    def without_unpayable(self, evidence: Evidence) -> Evidence:
        """Return the evidence without first votes and wishes for an expert that the money left does not cover."""
        kinds = self.asked.policy.prices.kinds
        if self.no_money or (EXPERT in kinds and not self.affordable[kinds.index(EXPERT)]):
            wish = np.where(evidence.wish == WISHES.index(AN_EXPERT), -1, evidence.wish)
            least_votes = np.zeros_like(evidence.least_votes) if self.no_money else evidence.least_votes
            return replace(evidence, wish=wish, least_votes=least_votes)
        return evidence

    def pool(self, evidence: Evidence) -> PoolState:
        """Return the state of the pool that the policy decides on."""
        return pool_of(self.asked, evidence, self.model, self.machine, experts=self.experts)

    def decide(self, evidence: Evidence) -> Decisions:
        """Return what the policy decides; if no more votes can be bought, open tasks are settled."""
        pool, policy = self.pool(evidence), self.asked.policy
        if self.no_money:
            decisions = accept_gold(policy.decide(pool), pool.gold, policy.costs)
            return settle(decisions, policy.prices, budget=NO_MONEY, rest=self.plan.settings.rest)
        payable = replace(pool, open=pool.open & self.affordable)
        return accept_gold(policy.decide(payable), pool.gold, policy.costs)

    def states(self, evidence: Evidence, decisions: Decisions) -> TaskStates:
        """Return the states of tasks, from what was decided on them."""
        return task_states(self.plan, evidence, decisions, experts=self.experts)


def is_changed(view: PoolView, rows: slice, evidence: Evidence, states: TaskStates, probs: Array) -> NDArray[np.bool_]:
    """Return which tasks of a slice have another state than the stored one, or moved by more than a little."""
    stored = view.snapshot.stored
    differs = (states.status != stored.status[rows]) | (states.label != stored.label[rows])
    differs |= states.ask != stored.ask[rows]
    after, before = states.value, stored.value[rows]
    by_much = ~(np.abs(after - before) <= VALUE_MOVED * np.maximum(np.abs(after), np.abs(before)))
    is_first = lacks_first_votes(evidence) | wants_expert(evidence, experts=view.experts)
    differs |= (states.status == ASKING_INDEX) & ~is_first & by_much
    return differs | is_moved(view, rows, probs)


def is_moved(view: PoolView, rows: slice, probs: Array) -> NDArray[np.bool_]:
    """Return where the posterior, the prediction or the ambiguity moved by more than a little."""
    stored = view.snapshot.stored
    moved = ~(np.abs(probs - stored.posterior[rows]).max(axis=1) <= MOVED)
    if view.machine is not None:
        moved |= view.due[rows] | differ(view.predicted[rows], stored.machine[rows], MACHINE_MOVED)
    return moved | differ(view.ambiguity[rows, None], stored.ambiguity[rows, None], RANK_MOVED)


def differ(after: NDArray[np.floating], before: NDArray[np.floating], tolerance: float) -> NDArray[np.bool_]:
    """Return which rows differ by more than the tolerance; so do rows that are known now and were not before (NaN)."""
    gap = np.abs(after - before).max(axis=1)
    return ~np.isnan(after).any(axis=1) & ~(gap <= tolerance)
