"""What the models make of each voter: how often right, how fast, whether the answers depend on the truth at all."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, select, update

from quorate.data.costs import EXPERT
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels.vote_sums import answer_counts
from quorate.quality.intervals import wilson_ends
from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from quorate.quality.workers.spam_score import SpamScore
from quorate.service.decisions.counted_votes import PRACTICE
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import voters, votes
from quorate.typing import Array

MOST_CLASSES = 20  # of a confusion matrix that is kept
ENOUGH = 5  # votes: fewer do not tell a spammer
MOVED = 0.01  # of a skill or a spam score: less is not written again
PART = 500  # voters that are read together

_VOTERS = (
    select(voters.c.id, voters.c.code, voters.c.kind, voters.c.n_votes, voters.c.judged)
    .where(voters.c.project_id == bindparam("project"), voters.c.id > bindparam("after"), voters.c.n_votes > 0)
    .order_by(voters.c.id)
    .limit(PART)
)
_SECONDS = (
    select(votes.c.voter_id, votes.c.seconds)
    .where(votes.c.voter_id.in_(bindparam("ids", expanding=True)))
    .where(votes.c.seconds.is_not(None), votes.c.purpose != PRACTICE)
)
_WRITE = update(voters).where(voters.c.id == bindparam("voter"))


@dataclass
class Tally:
    """What adds up over the questions that a voter answered. right, guessed: sums over the votes."""

    n: int = 0
    right: float = 0.0
    guessed: float = 0.0
    confusion: dict[str, list[list[float]]] = field(default_factory=dict)

    def told(self) -> dict[str, Any]:
        """The verdict on a voter."""
        share = self.right / self.n
        low, high = wilson_ends(share, self.n)
        band = {"value": share, "low": float(low), "high": float(high)}
        return {
            "skill": {name: round(number, 4) for name, number in band.items()},
            "spam": round(self.guessed / self.n, 4) if self.n >= ENOUGH else None,
            "questions": self.confusion,
        }


def judge(store: Store, project_id: int, found: Sequence[RoundResult], pace: Pace) -> int:
    """Write down what is made of each voter, where that is something else than before; of how many."""
    verdicts = verdicts_of(found)
    after, written = 0, 0
    while True:
        with store.read() as connection:
            page = connection.execute(_VOTERS, {"project": project_id, "after": after}).all()
            new = _new(connection, page, verdicts)
        for first in range(0, len(new), pace.size):
            part = new[first : first + pace.size]
            with pace.chunk(store, len(part)) as connection:
                connection.execute(_WRITE, part)
        written += len(new)
        if len(page) < PART:
            return written
        after = page[-1].id


def verdicts_of(found: Sequence[RoundResult]) -> dict[str, dict[str, Any]]:
    """By the code of each voter of the crowd: skill, spam score, and confusion matrices by question."""
    tallies: dict[str, Tally] = {}
    for one in found:
        votes_on = one.view.snapshot.votes.subset(tasks=np.flatnonzero(one.view.snapshot.informed))
        _add(tallies, str(one.view.asked.id), votes_on, one.believed)
    return {code: tally.told() for code, tally in tallies.items()}


def _add(tallies: dict[str, Tally], question: str, given: Votes, believed: Array) -> None:
    """Add what the votes on one question say of each voter. believed: of its tasks, votes and experts together."""
    posterior = _posterior(given, believed)
    right = ConsensusAgreement().score(given, posterior)
    guessed = 1 - np.sqrt(SpamScore().score(given, posterior))
    confusion = answer_counts(given, believed)[:-1].round(2) if given.n_classes <= MOST_CLASSES else None
    for place, (code, n) in enumerate(zip(given.workers.tolist(), given.votes_per_worker.tolist(), strict=True)):
        if n:
            tally = tallies.setdefault(code, Tally())
            tally.n += n
            tally.right += n * float(right[place])
            tally.guessed += n * float(guessed[place])
            if confusion is not None:
                tally.confusion[question] = confusion[place].tolist()


def _posterior(given: Votes, believed: Array) -> Posterior:
    return Posterior(
        probs=believed,
        tasks=given.tasks,
        workers=given.workers,
        classes=given.classes,
        class_prior=believed.mean(axis=0) if len(believed) else np.full(given.n_classes, 1 / given.n_classes),
        worker_model=None,
        objective=np.empty(0),
    )


def _new(connection: Connection, page: Sequence[Record], verdicts: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """What is to be written of some voters."""
    nothing: dict[str, Any] = {"skill": None, "spam": None, "questions": {}}
    after = {row.id: verdicts.get(row.code, nothing if row.kind == EXPERT else None) for row in page}
    rows = [row for row in page if after[row.id] is not None and _differs(row, after[row.id] or {})]
    seconds = _medians(connection, [row.id for row in rows])
    return [
        {"voter": row.id, "judged": {**(after[row.id] or {}), "votes": row.n_votes, "seconds": seconds.get(row.id)}}
        for row in rows
    ]


def _differs(row: Record, after: dict[str, Any]) -> bool:
    before = row.judged
    if before is None or before["votes"] != row.n_votes:
        return True
    pairs = [(_skill(before), _skill(after)), (before["spam"], after["spam"])]
    return any((was is None) != (now is None) or abs((was or 0) - (now or 0)) > MOVED for was, now in pairs)


def _skill(judged: dict[str, Any]) -> float | None:
    return None if judged["skill"] is None else float(judged["skill"]["value"])


def _medians(connection: Connection, voter_ids: Sequence[int]) -> dict[int, float]:
    """The median of the seconds that each voter took."""
    taken: dict[int, list[float]] = {}
    for voter, seconds in connection.execute(_SECONDS, {"ids": list(voter_ids)}) if voter_ids else ():
        taken.setdefault(voter, []).append(seconds)
    return {voter: round(float(np.median(each)), 2) for voter, each in taken.items()}
