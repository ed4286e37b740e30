"""What a worker does: ask for work, vote, skip, change a vote, say that one is still there, give work back."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal
from uuid import uuid4

from quorate.client.connection import Connection
from quorate.client.errors import ClientError
from quorate.client.responses import Batch, Completion, Consent, Item, Json, Lease, Receipt, read


def new_key() -> str:
    """A key by which the service tells a vote that is sent again from a new one."""
    return uuid4().hex


@dataclass(frozen=True, kw_only=True)
class Vote:
    """An answer to what was leased: a label; or none, where one skips or is unsure, with a note that says why."""

    lease: int
    label: str | None = None
    said: Literal["vote", "skip", "unsure"] = "vote"
    note: str | None = None
    seconds: float | None = None
    key: str = field(default_factory=new_key)


@dataclass(frozen=True)
class Work:
    """Work on the items of a project, for a token of a worker or an expert."""

    connection: Connection

    def visit(self, project: int) -> Json:
        """What is asked, by which rules, and how far one has come: all that a page begins with."""
        return dict(self.connection.get(f"/api/projects/{project}/visit"))

    def told(self, project: int, task: int) -> Json:
        """What others and the machine said of a task, for an expert who has voted on it.

        An audit answer cannot be amended after this look: `final` is true then.
        """
        return dict(self.connection.get(f"/api/projects/{project}/tasks/{task}/told"))

    def consent(self, project: int) -> Consent:
        """What to agree to before the first item, and whether it was; there may be nothing."""
        return read(Consent, self.connection.get(f"/api/projects/{project}/consent"))

    def agree(self, project: int, version: str) -> None:
        """Agree to what `consent` shows; the version and the time are kept."""
        self.connection.post(f"/api/projects/{project}/consent", {"version": version}, repeatable=True)

    def next(self, project: int, n: int = 5) -> Batch:
        """Lease a few items; those that one still holds come first, so that asking again loses nothing."""
        said = self.connection.post(f"/api/projects/{project}/next", {"n": n}, repeatable=True)
        leases = [read(Lease, {**one, "item": read(Item, one.get("item"))}) for one in said.get("leases", [])]
        return read(Batch, {**said, "leases": leases})

    def send(self, project: int, votes: Sequence[Vote]) -> list[Receipt]:
        """Give several votes at once. Sent again with the same keys, they count once."""
        given = [{name: value for name, value in asdict(vote).items() if value is not None} for vote in votes]
        said = self.connection.post(f"/api/projects/{project}/votes", {"votes": given}, repeatable=True)
        return [read(Receipt, one) for one in said["votes"]]

    def vote(self, project: int, lease: int, label: str, *, seconds: float | None = None) -> Receipt:
        """Give one vote."""
        return self._one(project, Vote(lease=lease, label=label, seconds=seconds))

    def skip(self, project: int, lease: int, *, unsure: bool = False, note: str | None = None) -> Receipt:
        """Say that one cannot answer, or is unsure."""
        return self._one(project, Vote(lease=lease, said="unsure" if unsure else "skip", note=note))

    def amend(self, project: int, vote: int, label: str | None) -> Receipt:
        """Change a vote, or take it back where there is no label; the old one is kept, and counts no more."""
        sent = {"label": label, "said": "skip" if label is None else "vote", "key": new_key()}
        said = self.connection.post(f"/api/projects/{project}/votes/{vote}/amend", sent, repeatable=True)
        return read(Receipt, said)

    def heartbeat(self, project: int, leases: Sequence[int]) -> list[int]:
        """Say that one still works on these, so that they are kept for longer; those that are still held."""
        sent = {"leases": list(leases)}
        return list(self.connection.post(f"/api/projects/{project}/leases/heartbeat", sent, repeatable=True)["leases"])

    def give_back(self, project: int, leases: Sequence[int]) -> None:
        """Let others have these."""
        self.connection.post(f"/api/projects/{project}/leases/return", {"leases": list(leases)}, repeatable=True)

    def completion(self, project: int) -> Completion:
        """What this visit came to, and the way back to the panel."""
        return read(Completion, self.connection.get(f"/api/projects/{project}/completion"))

    def _one(self, project: int, vote: Vote) -> Receipt:
        receipts = self.send(project, [vote])
        if len(receipts) != 1:
            raise ClientError(f"the service answered one vote with {len(receipts)} receipts")
        return receipts[0]
