"""Simulated workers at work in parallel, each in a thread with its own connection."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from math import inf
from threading import Event, Lock
from time import monotonic
from typing import Literal

from quorate.client import Client
from quorate.client.simulated_crowd.item_keys import ItemKeys
from quorate.client.simulated_crowd.people import Ability
from quorate.client.simulated_crowd.truth import Truth
from quorate.client.simulated_crowd.worker import Person

POLL_SECONDS = 0.5  # between calls of `watch`


Order = Literal["work", "rest", "go home"]


def _work(_: int) -> Order:
    return "work"


@dataclass(eq=False)
class Tally:
    """Number of counted votes of all workers; safe to use from several threads."""

    votes: int = 0
    _lock: Lock = field(default_factory=Lock)

    def add(self, votes: int) -> None:
        """Add to the number of votes."""
        with self._lock:
            self.votes += votes


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedCrowd:
    """Simulated workers of one project of a service.

    Args:
        url: address of the service.
        project: number of the project.
        people: workers and experts.
        tokens: token of each person, by name.
        classes: names of the classes of each question of the project.
        truth: true labels of all items.
        key_of: returns the key of an item by its number; called from several threads.
        speed: factor by which response times are shortened.
        most_votes: maximum number of votes of each person.
    """

    url: str
    project: int
    people: Sequence[Ability]
    tokens: Mapping[str, str]
    classes: Mapping[str, Sequence[str]]
    truth: Truth
    key_of: Callable[[int], str]
    speed: float = 1.0
    most_votes: float = inf

    def work(self, *, seconds: float = inf, watch: Callable[[int], Order] = _work) -> int:
        """Work until no worker has work left, the time is up, or `watch` stops them; return the number of votes.

        seconds: time limit. watch: called every half second with the number of votes so far; returns what to do next.
        """
        stop, may_work, tally, end = Event(), Event(), Tally(), monotonic() + seconds
        with ThreadPoolExecutor(max_workers=len(self.people)) as pool:
            at_work = {pool.submit(self._run, person, stop, may_work, tally) for person in self.people}
            try:
                while at_work and monotonic() < end and (order := watch(tally.votes)) != "go home":
                    (may_work.set if order == "work" else may_work.clear)()
                    done, at_work = wait(at_work, timeout=POLL_SECONDS, return_when=FIRST_EXCEPTION)
                    for future in done:
                        future.result()  # raises the error of a worker
            finally:
                stop.set()
        return tally.votes

    def _run(self, ability: Ability, stop: Event, may_work: Event, tally: Tally) -> None:
        with Client(self.url, token=self.tokens[ability.name]) as client:
            Person(
                ability=ability,
                client=client,
                project=self.project,
                classes=self.classes,
                truth=self.truth,
                key_of=self.key_of,
                stop=stop,
                may_work=may_work,
                on_votes=tally.add,
                speed=self.speed,
                most_votes=self.most_votes,
            ).work()


def enter(
    client: Client,
    project: int,
    people: Sequence[Ability],
    truth: Truth,
    *,
    speed: float = 1.0,
    most_votes: float = inf,
) -> SimulatedCrowd:
    """Create the voters of a project, and return them as a crowd that is ready to work.

    Args:
        client: client of a user who manages the project; it must stay open while the crowd works, to look up the keys
            of items.
        project: number of the project.
        people: workers and experts.
        truth: true labels of all items.
        speed: factor by which response times are shortened.
        most_votes: maximum number of votes of each person.
    """
    return SimulatedCrowd(
        url=client.url,
        project=project,
        people=people,
        tokens={person.name: _token(client, project, person) for person in people},
        classes=client.projects.get(project).classes,
        truth=truth,
        key_of=ItemKeys(client, project).of,
        speed=speed,
        most_votes=most_votes,
    )


def _token(client: Client, project: int, person: Ability) -> str:
    """Enter as people do: open a session with a link, and give consent if needed; return the token."""
    link = client.workers.create(project, kind=person.role, name=person.name).link
    with Client(client.url) as anonymous:
        token = anonymous.workers.open_link(link).token
    with Client(client.url, token=token) as own:
        consent = own.work.consent(project)
        if consent.version is not None and not consent.agreed:
            own.work.agree(project, consent.version)
    return token
