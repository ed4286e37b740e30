"""Accounts, for owners; and which of them belong to a project."""

from dataclasses import dataclass
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.responses import read

Role = Literal["owner", "requester", "expert", "worker"]


@dataclass(frozen=True, kw_only=True)
class Account:
    """Somebody who may sign in."""

    id: int
    name: str
    role: str
    state: str  # active | closed
    has_password: bool
    created_at: float


@dataclass(frozen=True, kw_only=True)
class Invited:
    """An account, and the link by which its holder sets a password: it works once."""

    id: int
    link: str


@dataclass(frozen=True, kw_only=True)
class Member:
    """An account that belongs to a project."""

    account_id: int
    name: str
    role: str
    state: str


@dataclass(frozen=True)
class Accounts:
    """Who may sign in. A token may list them; to change them, sign in by `client.session` first."""

    connection: Connection

    def invite(self, name: str, role: Role) -> Invited:
        """Make an account; pass the link on to its holder."""
        return read(Invited, self.connection.post("/api/accounts", {"name": name, "role": role}))

    def list_all(self) -> list[Account]:
        """All of them."""
        return [read(Account, one) for one in self.connection.get("/api/accounts")]

    def new_link(self, account: int) -> Invited:
        """Another link to set the password by; earlier ones end."""
        return read(Invited, self.connection.post(f"/api/accounts/{account}/link"))

    def close(self, account: int) -> None:
        """Close an account: its sessions and tokens end at once."""
        self.connection.post(f"/api/accounts/{account}/close", repeatable=True)


@dataclass(frozen=True)
class Members:
    """The requesters, experts and workers of a project who have an account."""

    connection: Connection

    def list_all(self, project: int) -> list[Member]:
        """All of them."""
        return [read(Member, one) for one in self.connection.get(f"/api/projects/{project}/members")]

    def put(self, project: int, name: str, role: Literal["requester", "expert", "worker"]) -> None:
        """Make an account a member, or change what it is."""
        self.connection.post(f"/api/projects/{project}/members", {"name": name, "role": role}, repeatable=True)

    def remove(self, project: int, account: int) -> None:
        """Take an account out of a project."""
        self.connection.send("DELETE", f"/api/projects/{project}/members/{account}")
