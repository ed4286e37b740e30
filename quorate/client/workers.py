"""Voters of a project: workers and experts, who enter with a link."""

from dataclasses import dataclass
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.responses import Json, read


@dataclass(frozen=True, kw_only=True)
class WorkerLink:
    """A voter and the address of their work; the address grants the rights of this voter only."""

    id: int
    code: str
    kind: str  # crowd | expert
    link: str


@dataclass(frozen=True, kw_only=True)
class Worker:
    """Statistics of a voter, without personal data.

    Attributes:
        id: number of the voter.
        code: anonymous code.
        kind: crowd or expert.
        state: see below.
        votes: number of votes.
        checks: votes on tasks with a gold label.
        right: correct votes among these.
        accuracy: share of correct votes among these.
        low: lower end of the 95% confidence interval of the accuracy.
        high: upper end of it.
        skill: accuracy estimated by the models: value, low and high.
        seconds: median response time.
        spam: estimated share of votes that are guesses, from 0 to 1.
        due: pay due.
        consented_at: time of the consent.
        seen_at: time of the last request.
    """

    id: int
    code: str
    kind: str
    state: str  # new | practice | active | failed | blocked | done
    votes: int
    checks: int
    right: int
    accuracy: float | None
    low: float | None
    high: float | None
    skill: dict[str, float] | None
    seconds: float | None
    spam: float | None
    due: float
    consented_at: float | None
    seen_at: float | None


@dataclass(frozen=True, kw_only=True)
class WorkerDetail(Worker):
    """Statistics of a voter with confusion matrices (true, voted) by question, votes on checks, and pay."""

    questions: dict[str, Json | None]
    gold: list[Json]
    pay: Json


@dataclass(frozen=True, kw_only=True)
class WorkerSession:
    """Session of a link: a token that may only vote in its project."""

    token: str
    project_id: int
    code: str
    kind: str


@dataclass(frozen=True)
class Workers:
    """Voters of a project."""

    connection: Connection

    def create(
        self, project: int, *, kind: Literal["crowd", "expert"] = "crowd", name: str | None = None
    ) -> WorkerLink:
        """Create a worker or an expert, and return the link for them.

        Args:
            project: number of the project.
            kind: annotator kind.
            name: name for requesters; it is never exported.
        """
        body = {"kind": kind} | ({} if name is None else {"name": name})
        return read(WorkerLink, self.connection.post(f"/api/projects/{project}/workers", body))

    def list_page(self, project: int, *, after: int = 0, limit: int = 100) -> list[Worker]:
        """Return a page of voters.

        Args:
            project: number of the project.
            after: the last id of the previous page; 0 for the first page.
            limit: maximum number of voters.
        """
        rows = self.connection.get(f"/api/projects/{project}/workers", {"after": after, "limit": limit})
        return [read(Worker, row) for row in rows]

    def get(self, project: int, worker: int) -> WorkerDetail:
        """Return a voter with confusion matrices and votes on checks."""
        return read(WorkerDetail, self.connection.get(f"/api/projects/{project}/workers/{worker}"))

    def link(self, project: int, worker: int) -> WorkerLink:
        """Return the link of a voter again."""
        return read(WorkerLink, self.connection.get(f"/api/projects/{project}/workers/{worker}/link"))

    def block(self, project: int, worker: int) -> None:
        """Block a voter from voting; their leases are returned."""
        self.connection.post(f"/api/projects/{project}/workers/{worker}/block", repeatable=True)

    def unblock(self, project: int, worker: int) -> None:
        """Unblock a voter."""
        self.connection.post(f"/api/projects/{project}/workers/{worker}/unblock", repeatable=True)

    def open_link(self, link: str) -> WorkerSession:
        """Open a session with the link of a voter, or its whole address; needs no token."""
        return read(WorkerSession, self.connection.post("/api/work/session", {"link": link}))
