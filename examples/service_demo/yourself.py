"""A project of the demo that you label together with a few simulated workers."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from examples.service_demo.pools import DemoPool, PoolMaker, digits, upload
from examples.service_demo.server import DemoService
from quorate import QuorateError
from quorate.client import Client, Order, SimulatedCrowd, Truth, enter, people

ITEMS = 600
OTHERS, FOR_EACH = 4, 2  # simulated workers, and how many answers they give together for each of yours
LAST = 20  # open items that they finish, since you may have answered all that you can
FIRST_SPEED, SPEED = 20.0, 3.0  # times faster than real people: before you start, and with you
PRACTICE = 3  # items with a gold label with which a worker starts
FOR_EXPERT = 12  # items that wait for the expert from the start
RULES: dict[str, Any] = {
    "consent": {
        "version": "1",
        "text": "This is a demonstration. Your answers stay on this computer and are deleted when it ends.",
    },
    "prices": {"votes": {"crowd": 0.05, "expert": 0.5}},
    "costs": {"error": 1},
    "currency": "EUR",
    "audit_share": 0.1,
    "votes_per_item": OTHERS,  # then the expert is asked: with more, nobody would be left to vote
}


@dataclass(frozen=True)
class Yours:
    """The project, your worker number in it, links for a worker and an expert, gold labels, and what the items are."""

    project: int
    voter: int
    worker: str
    expert: str
    truth: Truth
    what: str


def yourself(client: Client, folder: Path, make_pool: PoolMaker = digits) -> Yours:
    """Create the project, with some gold labels if the pool allows it, and the links for you."""
    (folder / "yours").mkdir(exist_ok=True)
    pool = make_pool(folder / "yours", items=ITEMS)
    project = client.projects.create(pool.settings | RULES | _own_rules(pool)).id
    upload(client, project, pool)
    you, expert = client.workers.create(project), client.workers.create(project, kind="expert")
    items = list(client.items.list_all(project))
    for item in items[: pool.n_gold]:
        client.items.relabel(project, item["id"], pool.truth.of(next(iter(pool.classes)), item["key"]))
    client.projects.set_state(project, "running")
    for item in items[-FOR_EXPERT:]:
        client.items.ask_expert(project, item["id"])
    return Yours(project, you.id, you.link, expert.link, pool.truth, pool.what)


def _own_rules(pool: DemoPool) -> dict[str, Any]:
    """Return the settings that depend on the pool."""
    return {
        "name": f"Label some {pool.what} yourself",
        "instructions": f"{pool.settings['instructions']} If you cannot tell, press Unsure.",
        "workers": {"practice": PRACTICE, "gold_share": 0.1} if pool.n_gold else {},
    }


def first_votes(client: Client, yours: Yours) -> SimulatedCrowd:
    """Let a few workers give the votes from which the classifier starts to learn; return them."""
    crowd = enter(client, yours.project, people(OTHERS, seed=1), yours.truth, speed=FIRST_SPEED)

    def watch(_: int) -> Order:
        return "work" if client.projects.overview(yours.project).by_status.get("waiting") else "go home"

    crowd.work(watch=watch)
    return replace(crowd, speed=SPEED)


@contextmanager
def keeping_pace(service: DemoService, yours: Yours, crowd: SimulatedCrowd) -> Iterator[None]:
    """Let these workers answer while you do and pause while you pause, so that they do not label everything alone."""
    over = threading.Event()

    def work() -> None:
        with Client(service.url, token=service.token) as client, suppress(QuorateError):  # the service may end first
            crowd.work(watch=lambda votes: "go home" if over.is_set() else _next_order(client, yours, votes))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _next_order(client: Client, yours: Yours, votes: int) -> Order:
    """Return what workers who have given this number of votes do next."""
    behind = votes < FOR_EACH * client.workers.get(yours.project, yours.voter).votes
    return "work" if behind or client.projects.overview(yours.project).n_open < LAST else "rest"
