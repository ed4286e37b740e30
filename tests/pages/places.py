"""A service that runs, and what tests of the pages put into it."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from PIL import Image
from playwright.sync_api import BrowserContext, Page

from quorate.client import Client, Vote
from tests.service import waiting

Visitor: TypeAlias = Callable[..., BrowserContext]
Open: TypeAlias = Callable[..., Page]
OWNER, PASSWORD = "ann", "correct horse battery"
PETS: dict[str, Any] = {
    "name": "Pets",
    "questions": [{"name": "pet", "text": "Which pet is it?", "classes": ["cat", "dog"]}],
    "policy": {"name": "fixed_votes", "options": {"n": 1}},
    "learner": {"name": "none"},
}
COLOURS = ("red", "green", "blue", "orange", "purple", "teal")


@dataclass(frozen=True)
class Place:
    """Where the service is, and a client of its owner."""

    url: str
    client: Client

    def project(self, items: int | Sequence[Mapping[str, Any]] = 6, state: Any = "running", **settings: Any) -> int:
        """A project with items: so many short texts, or those that are given."""
        number = self.client.projects.create(PETS | settings).id
        if isinstance(items, int):
            items = [{"key": f"pet-{n}", "text": f"Pet number {n}."} for n in range(items)]
        if items:
            added = self.client.items.add(number, items)
            assert not added.bad, added
        if state is not None:
            self.client.projects.set_state(number, state)
        return number

    def images(self, folder: Path, n: int = 6, **settings: Any) -> int:
        """A project with images of one colour each."""
        number = self.project(0, None, **settings)
        self.client.imports.upload(number, zip_of_images(folder, n))
        self.client.projects.set_state(number, "running")
        return number

    def invite(self, name: str, role: Any) -> str:
        """The link of a new account, made by the owner in a session: a token may not create accounts."""
        with Client(self.url) as owner:
            owner.session.sign_in(OWNER, PASSWORD)
            return owner.accounts.invite(name, role).link

    def worker(self, project: int, kind: Any = "crowd") -> str:
        """The link of a new voter."""
        return self.client.workers.create(project, kind=kind).link

    def vote(self, project: int, link: str, labels: Sequence[str], **given: Any) -> None:
        """Let a voter answer so many items, each with the next label."""
        with Client(self.url) as stranger:
            token = stranger.workers.open_link(link).token
        with Client(self.url, token=token) as voter:
            for label in labels:
                lease = voter.work.next(project, 1).leases[0].lease
                voter.work.send(project, [Vote(lease=lease, label=label, **given)])

    def votes(self, project: int) -> int:
        """How many votes count."""
        return self.client.projects.overview(project).votes

    def labels(self, project: int) -> dict[str, str]:
        """What people decided on, by the key of the item; of several questions, on the first."""
        found = {item["key"]: item["tasks"][0] for item in self.client.items.list_all(project)}
        return {key: str(task["label"]) for key, task in found.items() if task["status"] in ("crowd", "expert")}


def until(true: Callable[[], bool], what: str, page: Page | None = None) -> None:
    """Wait for something that the service hears of a little later. page: whose calls the test answers meanwhile."""
    waiting.until(true, what, *([lambda: page.wait_for_timeout(20)] if page else []))


def zip_of_images(folder: Path, names: int | Sequence[str]) -> Path:
    """A zip of n small images, or of images with these names."""
    path = folder / "images.zip"
    if isinstance(names, int):
        names = [f"image-{number}.png" for number in range(names)]
    with zipfile.ZipFile(path, "w") as packed:
        for number, name in enumerate(names):
            data = io.BytesIO()
            Image.new("RGB", (60 + number, 40), COLOURS[number % len(COLOURS)]).save(data, "PNG")
            packed.writestr(name, data.getvalue())
    return path
