"""A project of the demo that you work on, with a few people beside you: open its link, and watch it move."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from examples.service_demo.pools import digits
from examples.service_demo.server import DemoService
from quorate import QuorateError
from quorate.client import Client, Order, SimulatedCrowd, Truth, enter, people

ITEMS = 600
OTHERS, FOR_EACH = 4, 2  # people beside you, and how many answers they give, all together, for each of yours
LAST = 20  # open items that they finish: you may have answered all of those that you can
FIRST_SPEED, SPEED = 20.0, 3.0  # times faster than life: before you come, and beside you
PRACTICE, KNOWN = 3, 8  # items with a known label: for practice, and for checks
FOR_EXPERT = 12  # items that are put to the expert at once
RULES: dict[str, Any] = {
    "name": "Label some digits yourself",
    "instructions": "Somebody wrote these digits by hand, small and in a hurry.\nSay which digit you see. "
    "If you cannot tell, say that you are unsure.",
    "consent": {
        "version": "1",
        "text": "This is a demonstration. Your answers stay on this machine, and are deleted at its end.",
    },
    "workers": {"practice": PRACTICE, "gold_share": 0.1},
    "prices": {"votes": {"crowd": 0.05, "expert": 0.5}},
    "costs": {"error": 1},
    "currency": "EUR",
    "audit_share": 0.1,
    "votes_per_item": OTHERS,  # then the expert: where all of these and you were asked, nobody would be left
}


@dataclass(frozen=True)
class Yours:
    """The project, a worker in it, links of the worker and of an expert, and what is true of its items."""

    project: int
    voter: int
    worker: str
    expert: str
    truth: Truth


def yourself(client: Client, folder: Path) -> Yours:
    """Make the project, with some labels known, and links for the one at the keyboard."""
    (folder / "yours").mkdir(exist_ok=True)
    pool = digits(folder / "yours", items=ITEMS)
    project = client.projects.create(pool.settings | RULES).id
    client.imports.upload(project, pool.file)
    you, expert = client.workers.create(project), client.workers.create(project, kind="expert")
    items = list(client.items.list_all(project))
    for item in items[:KNOWN]:
        client.items.relabel(project, item["id"], pool.truth.of("digit", item["key"]))
    client.projects.set_state(project, "running")
    for item in items[-FOR_EXPERT:]:
        client.items.ask_expert(project, item["id"])
    return Yours(project, you.id, you.link, expert.link, pool.truth)


def first_votes(client: Client, yours: Yours) -> SimulatedCrowd:
    """A few people, who have given the votes from which the machine begins to learn: all else is left to you."""
    crowd = enter(client, yours.project, people(OTHERS, seed=1), yours.truth, speed=FIRST_SPEED)

    def watch(_: int) -> Order:
        return "work" if client.projects.overview(yours.project).by_status.get("waiting") else "go home"

    crowd.work(watch=watch)
    return replace(crowd, speed=SPEED)


@contextmanager
def keeping_pace(service: DemoService, yours: Yours, crowd: SimulatedCrowd) -> Iterator[None]:
    """Meanwhile, let these people answer as you do, and rest while you rest: they never label it all without you."""
    over = threading.Event()

    def work() -> None:
        with Client(service.url, token=service.token) as client, suppress(QuorateError):  # the service may end first
            crowd.work(watch=lambda votes: "go home" if over.is_set() else _beside(client, yours, votes))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beside(client: Client, yours: Yours, votes: int) -> Order:
    """Say what people who gave this number of votes do next."""
    behind = votes < FOR_EACH * client.workers.get(yours.project, yours.voter).votes
    return "work" if behind or client.projects.overview(yours.project).n_open < LAST else "rest"
