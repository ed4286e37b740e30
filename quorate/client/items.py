"""Items of a project: a few as JSON, many as a file."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from quorate.client.connection import Connection
from quorate.client.errors import ClientError
from quorate.client.responses import Json, read

LOOK = 0.5  # seconds between looks at how far an import is
LARGEST_PAGE = 1000  # items that the service lists at once


@dataclass(frozen=True, kw_only=True)
class Added:
    """What became of items: how many are new, were there before, or are wrong; errors: {"row", "error"}, from 1."""

    added: int
    repeated: int
    bad: int
    errors: list[Json]


@dataclass(frozen=True, kw_only=True)
class Import(Added):
    """How far a file has come."""

    id: int
    name: str
    format: str
    state: str  # reading | done | failed
    rows: int
    message: str | None
    created_at: float
    finished_at: float | None


@dataclass(frozen=True)
class Items:
    """What is classified."""

    connection: Connection

    def add(self, project: int, items: Sequence[Mapping[str, Any]]) -> Added:
        """Add up to a thousand, such as {"key": "a1", "text": "It purrs."}; those that are there already stay."""
        sent = [dict(one) for one in items]
        return read(Added, self.connection.post(f"/api/projects/{project}/items", sent, repeatable=True))

    def list_all(self, project: int, *, status: str | None = None, search: str | None = None) -> Iterator[Json]:
        """All, or those whose task has a status, or whose key starts with `search`; a page is asked for at a time."""
        return self._pages(project, {"status": status, "search": search})

    def keys(self, project: int, *, after: int = 0, most: int | None = None) -> dict[int, str]:
        """The key of each item by its number, which is all that workers see of it.

        after: only of items with a larger number. most: of how many, those with the smallest numbers; all if not given.
        """
        found = self._pages(project, {"n": min(most or LARGEST_PAGE, LARGEST_PAGE), "after": after})
        return {int(one["id"]): str(one["key"]) for one in islice(found, most)}

    def part(
        self,
        project: int,
        *,
        chosen: str = "all",
        question: str | None = None,
        search: str | None = None,
        offset: int = 0,
        n: int = 100,
    ) -> Json:
        """A part of the list of items that a filter has chosen, from any place on: `items`, `next` and `total`."""
        asked = {"filter": chosen, "question": question, "search": search, "offset": offset, "n": n}
        return dict(self.connection.get(f"/api/projects/{project}/items", asked))

    def get(self, project: int, item: int) -> Json:
        """One, with its tasks: votes, the belief after each, all that was decided, and why it stands so."""
        return dict(self.connection.get(f"/api/projects/{project}/items/{item}"))

    def relabel(self, project: int, item: int, label: str, *, question: str | None = None) -> Json:
        """Give an item a label that is known from now on; the item as it is then."""
        return self._say(project, item, "relabel", {"question": question, "label": label})

    def reopen(self, project: int, item: int, *, question: str | None = None) -> Json:
        """Take a decision back until the crowd has given one more vote; the item as it is then."""
        return self._say(project, item, "reopen", {"question": question})

    def ask_expert(self, project: int, item: int, *, question: str | None = None) -> Json:
        """Send an item to an expert, apart from the random audit; the item as it is then."""
        return self._say(project, item, "expert", {"question": question})

    def _pages(self, project: int, asked: Mapping[str, str | float | None]) -> Iterator[Json]:
        """All items of a listing, one page after the other."""
        while True:
            said = self.connection.get(f"/api/projects/{project}/items", asked)
            yield from said["items"]
            if said["next"] is None:
                return
            asked = {**asked, "after": said["next"]}

    def _say(self, project: int, item: int, act: str, sent: Json) -> Json:
        return dict(self.connection.post(f"/api/projects/{project}/items/{item}/{act}", sent))


@dataclass(frozen=True)
class Imports:
    """Files of items: CSV, JSON lines, Parquet, a zip of images, an export of Label Studio."""

    connection: Connection

    def upload(
        self,
        project: int,
        path: Path | str,
        *,
        form: str | None = None,
        columns: Mapping[str, Any] | None = None,
        wait: bool = True,
    ) -> Import:
        """Send a file, and wait until it is read. form: if its name tells none; columns: as in the API."""
        fields = {} if form is None else {"format": form}
        if columns is not None:
            fields["columns"] = json.dumps(dict(columns))
        with _opened(Path(path)) as content:
            said = self.connection.send(
                "POST", f"/api/projects/{project}/imports", file=(Path(path).name, content), fields=fields
            )
        started = read(Import, said)
        return self.wait(project, started.id) if wait else started

    def get(self, project: int, number: int) -> Import:
        """How far it has come."""
        return read(Import, self.connection.get(f"/api/projects/{project}/imports/{number}"))

    def wait(self, project: int, number: int) -> Import:
        """Wait until a file is read; one that cannot be read is an error."""
        while (found := self.get(project, number)).state == "reading":
            self.connection.pause(LOOK)
        if found.state == "failed":
            raise ClientError(
                f"{found.name} could not be read to its end: {found.message or 'the service says no more'}"
            )
        return found

    def list_all(self, project: int) -> list[Import]:
        """The latest hundred, newest first."""
        return [read(Import, one) for one in self.connection.get(f"/api/projects/{project}/imports")]


def _opened(path: Path) -> Any:
    try:
        return path.open("rb")
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror or error}") from None
