"""The voters of a project: workers and experts."""

from dataclasses import dataclass
from typing import Literal

from quorate.client.answers import read
from quorate.client.connection import Connection


@dataclass(frozen=True, kw_only=True)
class NewWorker:
    """Somebody who may vote in one project, by the token, or by opening the link."""

    code: str
    token: str
    link: str


@dataclass(frozen=True)
class Workers:
    """Who votes in a project."""

    connection: Connection

    def create(self, project: int, *, kind: Literal["crowd", "expert"] = "crowd") -> NewWorker:
        """Let somebody in."""
        return read(NewWorker, self.connection.post(f"/api/projects/{project}/workers", {"kind": kind}))
