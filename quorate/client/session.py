"""Who one is to the service: signed in by name and password, or by a link that works once; and one's own tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from quorate.client.connection import Connection
from quorate.client.responses import read

CSRF_HEADER = "X-CSRF-Token"
Scope = Literal["read", "vote", "classify", "manage"]


@dataclass(frozen=True, kw_only=True)
class SignedIn:
    """Who is signed in: an account, or a voter of one project."""

    name: str
    role: str
    account_id: int | None
    voter_id: int | None
    project_id: int | None
    scopes: list[str]


@dataclass(frozen=True, kw_only=True)
class Token:
    """What is known of a token."""

    id: int
    name: str | None
    scopes: list[str]
    project_id: int | None
    created_at: float
    expires_at: float | None


@dataclass(frozen=True)
class Session:
    """Signing in and out. The session is kept by this client, and ends with it or by `sign_out`."""

    connection: Connection

    def sign_in(self, name: str, password: str) -> SignedIn:
        """Sign in by name and password."""
        return self._begun(self.connection.post("/api/session", {"name": name, "password": password}))

    def join(self, link: str, password: str, *, name: str | None = None) -> SignedIn:
        """Set a password by a link that works once; name: of the first owner. The whole address may be given."""
        sent = {"link": link.rpartition("#")[2], "password": password}
        return self._begun(self.connection.post("/api/session/join", sent | ({} if name is None else {"name": name})))

    def show(self) -> SignedIn:
        """Who is signed in."""
        return read(SignedIn, self.connection.get("/api/session"))

    def change_password(self, old: str, new: str) -> None:
        """Change one's own password; all other sessions end."""
        self.connection.send("PUT", "/api/session/password", json={"old": old, "new": new})

    def sign_out(self) -> None:
        """End the session."""
        self.connection.send("DELETE", "/api/session")
        self.connection.http.headers.pop(CSRF_HEADER, None)

    def _begun(self, said: Any) -> SignedIn:
        """The cookie is kept by httpx; what must come back beside it, as proof that no other page sent it, here."""
        signed_in = read(SignedIn, said)
        self.connection.http.headers[CSRF_HEADER] = str(said["csrf"])
        return signed_in


@dataclass(frozen=True)
class Tokens:
    """One's own API tokens."""

    connection: Connection

    def create(
        self, name: str, scopes: Sequence[Scope], *, project: int | None = None, days: float | None = None
    ) -> str:
        """A new token, which is shown this once: for all projects or one, for ever or some days."""
        sent = {"name": name, "scopes": list(scopes), "project_id": project, "days": days}
        said = self.connection.post("/api/tokens", {key: value for key, value in sent.items() if value is not None})
        return str(said["token"])

    def list_all(self) -> list[Token]:
        """Those that can be used."""
        return [read(Token, one) for one in self.connection.get("/api/tokens")]

    def revoke(self, token: int) -> None:
        """End a token at once."""
        self.connection.send("DELETE", f"/api/tokens/{token}")
