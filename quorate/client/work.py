"""Requests of a worker: leases, votes, skips, amendments, heartbeats and returned leases."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal
from uuid import uuid4

from quorate.client.connection import Connection
from quorate.client.errors import ClientError
from quorate.client.responses import Batch, Completion, Consent, Item, Json, Lease, Receipt, read
from quorate.registry.deprecation import warn_renamed


def new_key() -> str:
    """Return a new key, by which the service recognises a vote that is sent again."""
    return uuid4().hex


@dataclass(frozen=True, kw_only=True)
class Vote:
    """A response to a lease: a label, or none if the worker skips or is unsure.

    Args:
        lease: number of the lease.
        label: name of the class; None to skip.
        said: "vote" with a label, "skip" or "unsure" without one.
        note: reason of a skip.
        seconds: time taken.
        key: identifies the vote, so that it counts once if it is sent again.
    """

    lease: int
    label: str | None = None
    said: Literal["vote", "skip", "unsure"] = "vote"
    note: str | None = None
    seconds: float | None = None
    key: str = field(default_factory=new_key)


@dataclass(frozen=True)
class Work:
    """Work on the items of a project, with the token of a worker or an expert."""

    connection: Connection

    def visit(self, project: int) -> Json:
        """Return the questions, the instructions and the progress of the worker, as shown on the first page."""
        return dict(self.connection.get(f"/api/projects/{project}/visit"))

    def other_votes(self, project: int, task: int) -> Json:
        """Return the votes of others and the prediction of the classifier on a task, for an expert who has voted on it.

        A vote of an audit cannot be amended afterwards: `final` is true then.
        """
        return dict(self.connection.get(f"/api/projects/{project}/tasks/{task}/told"))

    def told(self, project: int, task: int) -> Json:
        """Return `other_votes`: the former name, which will be removed."""
        warn_renamed("the method 'told'", "other_votes", since="0.2")
        return self.other_votes(project, task)

    def consent(self, project: int) -> Consent:
        """Return what the worker has to agree to before the first item, if anything, and whether they have agreed."""
        return read(Consent, self.connection.get(f"/api/projects/{project}/consent"))

    def agree(self, project: int, version: str) -> None:
        """Agree to the text of `consent`; the version and the time are recorded."""
        self.connection.post(f"/api/projects/{project}/consent", {"version": version}, repeatable=True)

    def next(self, project: int, n: int = 5) -> Batch:
        """Lease up to n tasks; leases that are still held come first, so that it is safe to ask again."""
        response = self.connection.post(f"/api/projects/{project}/next", {"n": n}, repeatable=True)
        leases = [read(Lease, {**row, "item": read(Item, row.get("item"))}) for row in response.get("leases", [])]
        return read(Batch, {**response, "leases": leases})

    def send(self, project: int, votes: Sequence[Vote]) -> list[Receipt]:
        """Send several votes; if they are sent again with the same keys, they count once."""
        body = [{name: value for name, value in asdict(vote).items() if value is not None} for vote in votes]
        response = self.connection.post(f"/api/projects/{project}/votes", {"votes": body}, repeatable=True)
        return [read(Receipt, receipt) for receipt in response["votes"]]

    def vote(self, project: int, lease: int, label: str, *, seconds: float | None = None) -> Receipt:
        """Send a vote, and return its receipt.

        Args:
            project: number of the project.
            lease: number of the lease.
            label: answer.
            seconds: time that the answer took.
        """
        return self._send_vote(project, Vote(lease=lease, label=label, seconds=seconds))

    def skip(self, project: int, lease: int, *, unsure: bool = False, note: str | None = None) -> Receipt:
        """Skip a task, or report that the worker is unsure.

        Args:
            project: number of the project.
            lease: number of the lease.
            unsure: whether the worker is unsure; otherwise the task is skipped.
            note: comment of the worker.
        """
        return self._send_vote(project, Vote(lease=lease, said="unsure" if unsure else "skip", note=note))

    def amend(self, project: int, vote: int, label: str | None) -> Receipt:
        """Change or withdraw a vote; the old vote is kept but no longer counts.

        Args:
            project: number of the project.
            vote: number of the vote.
            label: new answer; None withdraws the vote.
        """
        body = {"label": label, "said": "skip" if label is None else "vote", "key": new_key()}
        response = self.connection.post(f"/api/projects/{project}/votes/{vote}/amend", body, repeatable=True)
        return read(Receipt, response)

    def heartbeat(self, project: int, leases: Sequence[int]) -> list[int]:
        """Extend these leases, and return those that are still held."""
        body = {"leases": list(leases)}
        return list(self.connection.post(f"/api/projects/{project}/leases/heartbeat", body, repeatable=True)["leases"])

    def give_back(self, project: int, leases: Sequence[int]) -> None:
        """Return leases, so that others can take the tasks."""
        self.connection.post(f"/api/projects/{project}/leases/return", {"leases": list(leases)}, repeatable=True)

    def completion(self, project: int) -> Completion:
        """Return the outcome of this visit, and the return address of the panel."""
        return read(Completion, self.connection.get(f"/api/projects/{project}/completion"))

    def _send_vote(self, project: int, vote: Vote) -> Receipt:
        receipts = self.send(project, [vote])
        if len(receipts) != 1:
            raise ClientError(f"the service returned {len(receipts)} receipts for one vote")
        return receipts[0]
