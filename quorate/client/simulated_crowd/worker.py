"""A simulated person at work: leases a few items, votes after a response time, waits, and stops."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from threading import Event
from time import monotonic

from quorate.client import Batch, Client, Lease, Vote
from quorate.client.simulated_crowd.people import Ability
from quorate.client.simulated_crowd.truth import Truth

BATCH_SIZE = 5
SEND_AFTER = 20.0  # seconds after which a slow person sends the votes so far, before the leases expire
PAUSE_SECONDS = 0.5  # between checks whether a pause is over
MAX_WAIT = 5.0  # seconds between requests for work
MIN_WAIT = 0.05


@dataclass(frozen=True, eq=False, kw_only=True)
class Person:
    """A simulated person who works on a project with a token of their own.

    Args:
        ability: how the person votes.
        client: client with the token of the person.
        project: number of the project.
        classes: names of the classes of each question.
        truth: true labels of all items.
        key_of: returns the key of an item by its number.
        stop: set when all stop.
        may_work: cleared while all pause.
        on_votes: called with the number of counted votes.
        speed: factor by which response times are shortened; infinite for none.
        most_votes: maximum number of votes.
    """

    ability: Ability
    client: Client
    project: int
    classes: Mapping[str, Sequence[str]]
    truth: Truth
    key_of: Callable[[int], str]
    stop: Event
    may_work: Event
    on_votes: Callable[[int], None]
    speed: float = 1.0
    most_votes: float = inf

    def work(self) -> None:
        """Work until no work is left for this person, the maximum of votes is reached, or all stop."""
        n_votes = 0
        while n_votes < self.most_votes and not self.stop.is_set():
            if not self.may_work.wait(PAUSE_SECONDS):
                continue
            batch = self.client.work.next(self.project, int(min(BATCH_SIZE, self.most_votes - n_votes)))
            if batch.leases:
                n_votes += self._vote_on(batch)
            elif batch.state in ("done", "failed"):
                return
            else:
                self.stop.wait(min(max(batch.retry_after, MIN_WAIT), MAX_WAIT))

    def _vote_on(self, batch: Batch) -> int:
        """Vote on every item, and return the number of votes sent."""
        votes: list[Vote] = []
        n_sent, start = 0, monotonic()
        for number, lease in enumerate(batch.leases, start=1):
            votes.append(self._vote(lease))
            if self.stop.is_set():
                self.client.work.give_back(self.project, [rest.lease for rest in batch.leases[n_sent:]])
                return n_sent
            if number == len(batch.leases) or monotonic() - start > SEND_AFTER:
                self._send(votes, [rest.lease for rest in batch.leases[number:]])
                n_sent, votes, start = number, [], monotonic()
        return n_sent

    def _vote(self, lease: Lease) -> Vote:
        key, question = self.key_of(lease.item.id), lease.question
        seconds = self.ability.seconds(question, key)
        self.stop.wait(seconds / self.speed)
        true = self.truth.of(question, key)
        label = self.ability.answer(question, key, true, self.classes[question])
        return Vote(lease=lease.lease, label=label, seconds=round(seconds, 2))

    def _send(self, votes: Sequence[Vote], remaining: Sequence[int]) -> None:
        receipts = self.client.work.send(self.project, votes)
        self.on_votes(sum(receipt.outcome == "counted" for receipt in receipts))
        if remaining:
            self.client.work.heartbeat(self.project, remaining)
