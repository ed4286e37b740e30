"""The voters of a project: workers and experts, let in by a link."""

from dataclasses import dataclass
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.responses import Json, read


@dataclass(frozen=True, kw_only=True)
class WorkerLink:
    """A voter and the address of its work: whoever has the address is that voter, and nothing more."""

    id: int
    code: str
    kind: str  # crowd | expert
    link: str


@dataclass(frozen=True, kw_only=True)
class Worker:
    """How a voter is doing, without who it is. due: what is to be paid.

    low, high: the 95 % interval of the accuracy on checks. skill: how often right, as the models believe. seconds: the
    median. spam: which share of the answers might as well be guessed, from 0 to 1.
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
    """All that is known of a voter: confusion matrices by question (true, said), answers to checks, and pay."""

    questions: dict[str, Json | None]
    gold: list[Json]
    pay: Json


@dataclass(frozen=True, kw_only=True)
class WorkerSession:
    """What a link opens: a token that may vote in its project, and nothing else."""

    token: str
    project_id: int
    code: str
    kind: str


@dataclass(frozen=True)
class Workers:
    """Who votes in a project."""

    connection: Connection

    def create(
        self, project: int, *, kind: Literal["crowd", "expert"] = "crowd", name: str | None = None
    ) -> WorkerLink:
        """Make a worker or an expert, with a link to hand out. name: for those who do; it is never exported."""
        sent = {"kind": kind} | ({} if name is None else {"name": name})
        return read(WorkerLink, self.connection.post(f"/api/projects/{project}/workers", sent))

    def list_page(self, project: int, *, after: int = 0, limit: int = 100) -> list[Worker]:
        """A page of them; after: the last id of the page before."""
        said = self.connection.get(f"/api/projects/{project}/workers", {"after": after, "limit": limit})
        return [read(Worker, one) for one in said]

    def get(self, project: int, worker: int) -> WorkerDetail:
        """One of them, with confusion matrices and answers to checks."""
        return read(WorkerDetail, self.connection.get(f"/api/projects/{project}/workers/{worker}"))

    def link(self, project: int, worker: int) -> WorkerLink:
        """The link of a voter once more."""
        return read(WorkerLink, self.connection.get(f"/api/projects/{project}/workers/{worker}/link"))

    def block(self, project: int, worker: int) -> None:
        """Let a voter vote no more; what it holds goes back to the pool."""
        self.connection.post(f"/api/projects/{project}/workers/{worker}/block", repeatable=True)

    def unblock(self, project: int, worker: int) -> None:
        """Let a voter vote again."""
        self.connection.post(f"/api/projects/{project}/workers/{worker}/unblock", repeatable=True)

    def open_link(self, link: str) -> WorkerSession:
        """Become the voter of a link, which may be the whole address; needs no token."""
        return read(WorkerSession, self.connection.post("/api/work/session", {"link": link}))
