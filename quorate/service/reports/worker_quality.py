"""Quality of each voter as the models estimate it: accuracy, spam score, confusion matrices, median response time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, select, update

from quorate.data.costs import EXPERT
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.inference.kernels.vote_sums import answer_counts
from quorate.quality.intervals import wilson_ends
from quorate.quality.workers.spam_score import SpamScore
from quorate.service.decisions.counted_votes import PRACTICE
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import voters, votes
from quorate.typing import Array

MAX_CLASSES = 20  # of a confusion matrix that is stored
MIN_VOTES = 5  # for a spam score
MIN_CHANGE = 0.01  # of a skill or a spam score: smaller changes are not written
PAGE = 500  # voters that are read together

_VOTERS = (
    select(voters.c.id, voters.c.code, voters.c.kind, voters.c.n_votes, voters.c.judged)
    .where(voters.c.project_id == bindparam("project"), voters.c.id > bindparam("after"), voters.c.n_votes > 0)
    .order_by(voters.c.id)
    .limit(PAGE)
)
_SECONDS = (
    select(votes.c.voter_id, votes.c.seconds)
    .where(votes.c.voter_id.in_(bindparam("ids", expanding=True)))
    .where(votes.c.seconds.is_not(None), votes.c.purpose != PRACTICE)
)
_WRITE = update(voters).where(voters.c.id == bindparam("voter"))
_NOT_ESTIMATED: dict[str, Any] = {"skill": None, "spam": None, "questions": {}}


@dataclass
class WorkerTotals:
    """Sums over the votes of a worker on all questions.

    Attributes:
        n: number of votes.
        right: expected number of right votes.
        guessed: expected number of guessed votes.
        confusion: confusion matrix by question id.
    """

    n: int = 0
    right: float = 0.0
    guessed: float = 0.0
    confusion: dict[str, list[list[float]]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the quality of the worker as it is stored."""
        share = self.right / self.n
        low, high = wilson_ends(share, self.n)
        band = {"value": share, "low": float(low), "high": float(high)}
        return {
            "skill": {name: round(number, 4) for name, number in band.items()},
            "spam": round(self.guessed / self.n, 4) if self.n >= MIN_VOTES else None,
            "questions": self.confusion,
        }


def update_worker_quality(store: Store, project_id: int, results: Sequence[RoundResult], pace: Pace) -> int:
    """Store the quality of each voter whose estimate has changed; return how many were written."""
    quality = estimate_quality(results)
    last_id, n_written = 0, 0
    while True:
        with store.read() as connection:
            page = connection.execute(_VOTERS, {"project": project_id, "after": last_id}).all()
            changed = _changed_rows(connection, page, quality)
        for first in range(0, len(changed), pace.size):
            chunk = changed[first : first + pace.size]
            with pace.chunk(store, len(chunk)) as connection:
                connection.execute(_WRITE, chunk)
        n_written += len(changed)
        if len(page) < PAGE:
            return n_written
        last_id = page[-1].id


def estimate_quality(results: Sequence[RoundResult]) -> dict[str, dict[str, Any]]:
    """Return skill, spam score and confusion matrices of the crowd, by the code of the voter."""
    totals: dict[str, WorkerTotals] = {}
    for result in results:
        informed = result.view.snapshot.votes.subset(tasks=np.flatnonzero(result.view.snapshot.informed))
        _add_question(totals, str(result.view.asked.id), informed, result.believed)
    return {code: worker.to_json() for code, worker in totals.items()}


def _add_question(totals: dict[str, WorkerTotals], question: str, crowd_votes: Votes, probs: Array) -> None:
    """Add the votes on one question to the totals. probs: posterior of its tasks, experts included."""
    posterior = _posterior(crowd_votes, probs)
    right_probs = probs[crowd_votes.task, crowd_votes.label]
    right = sum_at(crowd_votes.voter, right_probs, (crowd_votes.n_workers + 1,))
    guessed = 1 - np.sqrt(SpamScore().score(crowd_votes, posterior))
    confusion = answer_counts(crowd_votes, probs)[:-1].round(2) if crowd_votes.n_classes <= MAX_CLASSES else None
    codes, counts = crowd_votes.workers.tolist(), crowd_votes.votes_per_worker.tolist()
    for index, (code, n) in enumerate(zip(codes, counts, strict=True)):
        if n:
            worker = totals.setdefault(code, WorkerTotals())
            worker.n += n
            worker.right += float(right[index])
            worker.guessed += n * float(guessed[index])
            if confusion is not None:
                worker.confusion[question] = confusion[index].tolist()


def _posterior(crowd_votes: Votes, probs: Array) -> Posterior:
    return Posterior(
        probs=probs,
        tasks=crowd_votes.tasks,
        workers=crowd_votes.workers,
        classes=crowd_votes.classes,
        class_prior=probs.mean(axis=0) if len(probs) else np.full(crowd_votes.n_classes, 1 / crowd_votes.n_classes),
        worker_model=None,
        objective=np.empty(0),
    )


def _changed_rows(
    connection: Connection, page: Sequence[Record], quality: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the rows to write for a page of voters. Experts are timed, but their quality is not estimated."""
    after = {row.id: quality.get(row.code, _NOT_ESTIMATED if row.kind == EXPERT else None) for row in page}
    rows = [row for row in page if after[row.id] is not None and _has_changed(row, after[row.id] or {})]
    seconds = _median_seconds(connection, [row.id for row in rows])
    return [
        {"voter": row.id, "judged": {**(after[row.id] or {}), "votes": row.n_votes, "seconds": seconds.get(row.id)}}
        for row in rows
    ]


def _has_changed(row: Record, after: dict[str, Any]) -> bool:
    before = row.judged
    if before is None or before["votes"] != row.n_votes:
        return True
    pairs = [(_skill(before), _skill(after)), (before["spam"], after["spam"])]
    return any((old is None) != (new is None) or abs((old or 0) - (new or 0)) > MIN_CHANGE for old, new in pairs)


def _skill(quality: dict[str, Any]) -> float | None:
    return None if quality["skill"] is None else float(quality["skill"]["value"])


def _median_seconds(connection: Connection, voter_ids: Sequence[int]) -> dict[int, float]:
    """Return the median response time of each voter in seconds."""
    seconds: dict[int, list[float]] = {}
    for voter, duration in connection.execute(_SECONDS, {"ids": list(voter_ids)}) if voter_ids else ():
        seconds.setdefault(voter, []).append(duration)
    return {voter: round(float(np.median(durations)), 2) for voter, durations in seconds.items()}
