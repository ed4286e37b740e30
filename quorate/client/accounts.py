"""Accounts, for owners, and the members of a project."""

from dataclasses import dataclass
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.responses import read

Role = Literal["owner", "requester", "expert", "worker"]


@dataclass(frozen=True, kw_only=True)
class Account:
    """A person who may sign in."""

    id: int
    name: str
    role: str
    state: str  # active | closed
    has_password: bool
    created_at: float


@dataclass(frozen=True, kw_only=True)
class Invited:
    """A new account, and the link with which its holder sets a password; the link works once."""

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
    """Accounts of the service. A token may list them; to change them, sign in with `client.session` first."""

    connection: Connection

    def invite(self, name: str, role: Role) -> Invited:
        """Create an account, and return the link for its holder."""
        return read(Invited, self.connection.post("/api/accounts", {"name": name, "role": role}))

    def list_all(self) -> list[Account]:
        """List all accounts."""
        return [read(Account, row) for row in self.connection.get("/api/accounts")]

    def new_link(self, account: int) -> Invited:
        """Create a new link to set the password; earlier links stop working."""
        return read(Invited, self.connection.post(f"/api/accounts/{account}/link"))

    def close(self, account: int) -> None:
        """Close an account; its sessions and tokens end immediately."""
        self.connection.post(f"/api/accounts/{account}/close", repeatable=True)


@dataclass(frozen=True)
class Members:
    """Requesters, experts and workers of a project with an account."""

    connection: Connection

    def list_all(self, project: int) -> list[Member]:
        """List the members of a project."""
        return [read(Member, row) for row in self.connection.get(f"/api/projects/{project}/members")]

    def put(self, project: int, name: str, role: Literal["requester", "expert", "worker"]) -> None:
        """Add an account to a project, or change its role.

        Args:
            project: number of the project.
            name: username or e-mail of the account.
            role: role in the project.
        """
        self.connection.post(f"/api/projects/{project}/members", {"name": name, "role": role}, repeatable=True)

    def remove(self, project: int, account: int) -> None:
        """Remove an account from a project."""
        self.connection.send("DELETE", f"/api/projects/{project}/members/{account}")
