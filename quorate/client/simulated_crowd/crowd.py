"""Many simulated people at work at the same time, each in a thread with a connection of its own."""

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

LOOK = 0.5  # seconds between looks at how far the crowd is


Order = Literal["work", "rest", "go home"]


def _work(_: int) -> Order:
    return "work"


@dataclass(eq=False)
class Tally:
    """Votes that were counted, by all people together."""

    votes: int = 0
    _turn: Lock = field(default_factory=Lock)

    def add(self, votes: int) -> None:
        """Count these too."""
        with self._turn:
            self.votes += votes


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedCrowd:
    """People who work on one project of a service.

    tokens: of each person, by their name. classes: the answers to each question of the project.
    key_of: the key of an item by its number: it is called by all people at once.
    speed: how many times faster than life they think. most_votes: of each person.
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
        """Let all work until nobody finds work any more, the time is up, or `watch` sends them home: how many votes.

        watch: called every half second with the number of votes so far; what all shall do.
        """
        home, may_work, tally, end = Event(), Event(), Tally(), monotonic() + seconds
        with ThreadPoolExecutor(max_workers=len(self.people)) as pool:
            at_work = {pool.submit(self._one, person, home, may_work, tally) for person in self.people}
            try:
                while at_work and monotonic() < end and (order := watch(tally.votes)) != "go home":
                    (may_work.set if order == "work" else may_work.clear)()
                    done, at_work = wait(at_work, timeout=LOOK, return_when=FIRST_EXCEPTION)
                    for one in done:
                        one.result()  # raises what went wrong
            finally:
                home.set()
        return tally.votes

    def _one(self, ability: Ability, home: Event, may_work: Event, tally: Tally) -> None:
        with Client(self.url, token=self.tokens[ability.name]) as client:
            Person(
                ability=ability,
                client=client,
                project=self.project,
                classes=self.classes,
                truth=self.truth,
                key_of=self.key_of,
                home=home,
                may_work=may_work,
                heard=tally.add,
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
    """People of a project, as crowd or expert, ready to work.

    client: of somebody who manages the project; it must stay open while they work, to look up the keys of items.
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
    """Get in as people do: by a link that is handed out, which opens a session; and agree to what is asked first."""
    link = client.workers.create(project, kind=person.role, name=person.name).link
    with Client(client.url) as first:
        token = first.workers.open_link(link).token
    with Client(client.url, token=token) as own:
        asked = own.work.consent(project)
        if asked.version is not None and not asked.agreed:
            own.work.agree(project, asked.version)
    return token
