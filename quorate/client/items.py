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

POLL_SECONDS = 0.5  # between requests for the state of an import
MAX_PAGE = 1000  # items that the service lists per request


@dataclass(frozen=True, kw_only=True)
class Added:
    """Result of adding items: numbers of new, repeated and invalid ones; errors: {"row", "error"}, rows from 1."""

    added: int
    repeated: int
    bad: int
    errors: list[Json]


@dataclass(frozen=True, kw_only=True)
class Import(Added):
    """State of the import of a file."""

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
    """Items of a project."""

    connection: Connection

    def add(self, project: int, items: Sequence[Mapping[str, Any]]) -> Added:
        """Add up to a thousand items, such as {"key": "a1", "text": "It purrs."}; existing keys are left unchanged."""
        body = [dict(item) for item in items]
        return read(Added, self.connection.post(f"/api/projects/{project}/items", body, repeatable=True))

    def list_all(self, project: int, *, status: str | None = None, search: str | None = None) -> Iterator[Json]:
        """Yield items, loaded page by page.

        Args:
            project: number of the project.
            status: only items whose task has this status.
            search: only items whose key starts with this.
        """
        return self._pages(project, {"status": status, "search": search})

    def keys(self, project: int, *, after: int = 0, most: int | None = None) -> dict[int, str]:
        """Return the keys of items by their numbers; workers see numbers only.

        Args:
            project: number of the project.
            after: only items with a larger number.
            most: maximum number of items, those with the smallest numbers.
        """
        items = self._pages(project, {"n": min(most or MAX_PAGE, MAX_PAGE), "after": after})
        return {int(item["id"]): str(item["key"]) for item in islice(items, most)}

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
        """Return a part of the filtered list of items: `items`, `next` and `total`.

        Args:
            project: number of the project.
            chosen: name of the filter.
            question: question that the filter is about.
            search: start of the keys.
            offset: items to skip.
            n: maximum number of items.
        """
        query = {"filter": chosen, "question": question, "search": search, "offset": offset, "n": n}
        return dict(self.connection.get(f"/api/projects/{project}/items", query))

    def get(self, project: int, item: int) -> Json:
        """Return an item with its tasks: votes, the posterior after each, all decisions, and the reason of the last."""
        return dict(self.connection.get(f"/api/projects/{project}/items/{item}"))

    def relabel(self, project: int, item: int, label: str, *, question: str | None = None) -> Json:
        """Set a gold label, and return the updated item.

        Args:
            project: number of the project.
            item: number of the item.
            label: true label.
            question: name of the question, if there are several.
        """
        return self._post(project, item, "relabel", {"question": question, "label": label})

    def reopen(self, project: int, item: int, *, question: str | None = None) -> Json:
        """Reopen a decision until the crowd has given one more vote, and return the updated item.

        Args:
            project: number of the project.
            item: number of the item.
            question: name of the question, if there are several.
        """
        return self._post(project, item, "reopen", {"question": question})

    def ask_expert(self, project: int, item: int, *, question: str | None = None) -> Json:
        """Send an item to an expert, outside the random audit, and return the updated item.

        Args:
            project: number of the project.
            item: number of the item.
            question: name of the question, if there are several.
        """
        return self._post(project, item, "expert", {"question": question})

    def _pages(self, project: int, query: Mapping[str, str | float | None]) -> Iterator[Json]:
        """Yield the items of a listing page by page."""
        while True:
            page = self.connection.get(f"/api/projects/{project}/items", query)
            yield from page["items"]
            if page["next"] is None:
                return
            query = {**query, "after": page["next"]}

    def _post(self, project: int, item: int, action: str, body: Json) -> Json:
        return dict(self.connection.post(f"/api/projects/{project}/items/{item}/{action}", body))


@dataclass(frozen=True)
class Imports:
    """Imports of files of items: CSV, JSON lines, Parquet, a zip of images, or an export of Label Studio."""

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
        """Upload a file of items.

        Args:
            project: number of the project.
            path: file to upload.
            form: its format; by default the service infers it from the name.
            columns: meaning of the columns, as in the API.
            wait: whether to wait until the file has been read.
        """
        fields = {} if form is None else {"format": form}
        if columns is not None:
            fields["columns"] = json.dumps(dict(columns))
        with _open(Path(path)) as content:
            response = self.connection.send(
                "POST", f"/api/projects/{project}/imports", file=(Path(path).name, content), fields=fields
            )
        started = read(Import, response)
        return self.wait(project, started.id) if wait else started

    def get(self, project: int, number: int) -> Import:
        """Return the state of an import."""
        return read(Import, self.connection.get(f"/api/projects/{project}/imports/{number}"))

    def wait(self, project: int, number: int) -> Import:
        """Wait until a file has been read; raise an error if it cannot be read."""
        while (current := self.get(project, number)).state == "reading":
            self.connection.pause(POLL_SECONDS)
        if current.state == "failed":
            raise ClientError(
                f"{current.name} could not be read completely: {current.message or 'the service gave no reason'}"
            )
        return current

    def list_all(self, project: int) -> list[Import]:
        """List the latest hundred imports, newest first."""
        return [read(Import, row) for row in self.connection.get(f"/api/projects/{project}/imports")]


def _open(path: Path) -> Any:
    try:
        return path.open("rb")
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror or error}") from None
