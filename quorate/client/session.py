"""Sessions, by name and password or by a one-time link, and API tokens of the user."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from quorate.client.connection import Connection
from quorate.client.responses import read

CSRF_HEADER = "X-CSRF-Token"
Scope = Literal["read", "vote", "classify", "manage"]


@dataclass(frozen=True, kw_only=True)
class SignedIn:
    """The signed-in user: an account, or a voter of one project."""

    name: str
    role: str
    account_id: int | None
    voter_id: int | None
    project_id: int | None
    scopes: list[str]


@dataclass(frozen=True, kw_only=True)
class Token:
    """Description of an API token."""

    id: int
    name: str | None
    scopes: list[str]
    project_id: int | None
    created_at: float
    expires_at: float | None


@dataclass(frozen=True)
class Session:
    """Session of the client, which ends with the client or with `sign_out`."""

    connection: Connection

    def sign_in(self, name: str, password: str) -> SignedIn:
        """Sign in with name and password."""
        return self._start(self.connection.post("/api/session", {"name": name, "password": password}))

    def join(self, link: str, password: str, *, name: str | None = None) -> SignedIn:
        """Set a password with a one-time link, and sign in.

        Args:
            link: the link, or its whole address.
            password: new password.
            name: username, for the first owner only.
        """
        body = {"link": link.rpartition("#")[2], "password": password}
        return self._start(self.connection.post("/api/session/join", body | ({} if name is None else {"name": name})))

    def show(self) -> SignedIn:
        """Return the signed-in user."""
        return read(SignedIn, self.connection.get("/api/session"))

    def change_password(self, old: str, new: str) -> None:
        """Change the password of the user; all other sessions end."""
        self.connection.send("PUT", "/api/session/password", json={"old": old, "new": new})

    def sign_out(self) -> None:
        """End the session."""
        self.connection.send("DELETE", "/api/session")
        self.connection.http.headers.pop(CSRF_HEADER, None)

    def _start(self, response: Any) -> SignedIn:
        """Keep the CSRF token, which must be sent with the cookie; httpx keeps the cookie itself."""
        signed_in = read(SignedIn, response)
        self.connection.http.headers[CSRF_HEADER] = str(response["csrf"])
        return signed_in


@dataclass(frozen=True)
class Tokens:
    """API tokens of the user."""

    connection: Connection

    def create(
        self, name: str, scopes: Sequence[Scope], *, project: int | None = None, days: float | None = None
    ) -> str:
        """Create a token and return it; it cannot be shown again.

        Args:
            name: name of the token.
            scopes: what it may be used for.
            project: the only project it is valid for; None for all.
            days: its lifetime; None for no limit.
        """
        body = {"name": name, "scopes": list(scopes), "project_id": project, "days": days}
        response = self.connection.post("/api/tokens", {key: value for key, value in body.items() if value is not None})
        return str(response["token"])

    def list_all(self) -> list[Token]:
        """List the valid tokens."""
        return [read(Token, row) for row in self.connection.get("/api/tokens")]

    def revoke(self, token: int) -> None:
        """Revoke a token immediately."""
        self.connection.send("DELETE", f"/api/tokens/{token}")
