"""One simulated person at work: asks for a few items, thinks about each, votes, waits when told to, and goes home."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from threading import Event
from time import monotonic

from quorate.client import Batch, Client, Lease, Vote
from quorate.client.simulated_crowd.people import Ability
from quorate.client.simulated_crowd.truth import Truth

BATCH = 5
SEND_AFTER = 20.0  # seconds: a slow person sends what there is before the leases run out
LOOK = 0.5  # seconds between looks whether a rest is over
LONGEST_WAIT = 5.0  # seconds between looks whether there is work
SHORTEST_WAIT = 0.05


@dataclass(frozen=True, eq=False, kw_only=True)
class Person:
    """Somebody who works on a project by a token of their own.

    classes: the answers to each question. key_of: the key of an item by its number.
    speed: how many times faster than life they think; infinite = at once.
    home: set when all shall go home. may_work: not set while all shall rest. heard: told how many votes were counted.
    """

    ability: Ability
    client: Client
    project: int
    classes: Mapping[str, Sequence[str]]
    truth: Truth
    key_of: Callable[[int], str]
    home: Event
    may_work: Event
    heard: Callable[[int], None]
    speed: float = 1.0
    most_votes: float = inf

    def work(self) -> None:
        """Go on until there is no work left for this person, enough votes were given, or all go home."""
        given = 0
        while given < self.most_votes and not self.home.is_set():
            if not self.may_work.wait(LOOK):
                continue
            batch = self.client.work.next(self.project, int(min(BATCH, self.most_votes - given)))
            if batch.leases:
                given += self._answer(batch)
            elif batch.state in ("done", "failed"):
                return
            else:
                self.home.wait(min(max(batch.retry_after, SHORTEST_WAIT), LONGEST_WAIT))

    def _answer(self, batch: Batch) -> int:
        """Think about every item, and send the votes; how many were sent."""
        votes: list[Vote] = []
        sent, begun = 0, monotonic()
        for place, lease in enumerate(batch.leases, start=1):
            votes.append(self._vote(lease))
            if self.home.is_set():
                self.client.work.give_back(self.project, [one.lease for one in batch.leases[sent:]])
                return sent
            if place == len(batch.leases) or monotonic() - begun > SEND_AFTER:
                self._send(votes, [one.lease for one in batch.leases[place:]])
                sent, votes, begun = place, [], monotonic()
        return sent

    def _vote(self, lease: Lease) -> Vote:
        key, question = self.key_of(lease.item.id), lease.question
        seconds = self.ability.seconds(question, key)
        self.home.wait(seconds / self.speed)
        true = self.truth.of(question, key)
        label = self.ability.answer(question, key, true, self.classes[question])
        return Vote(lease=lease.lease, label=label, seconds=round(seconds, 2))

    def _send(self, votes: Sequence[Vote], still: Sequence[int]) -> None:
        receipts = self.client.work.send(self.project, votes)
        self.heard(sum(receipt.outcome == "counted" for receipt in receipts))
        if still:
            self.client.work.heartbeat(self.project, still)
