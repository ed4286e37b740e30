"""Webhooks of a project: where its notices go, and what became of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.responses import Json, read

Kind = Literal["item.decided", "item.reopened", "project.completed", "budget.low"]


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """An address that notices go to. secret: what its signatures are checked with; given when it is made."""

    id: int
    url: str
    kinds: list[str]
    state: str  # active | off
    created_at: float
    secret: str | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """A notice to one webhook: it waits for its next try where `due_at` is given; else it arrived or was given up."""

    id: int
    message_id: str
    kind: str
    data: Json
    created_at: float
    due_at: float | None
    tries: int
    answer: str | None
    delivered_at: float | None


@dataclass(frozen=True)
class Webhooks:
    """Signed as standardwebhooks.com says; sent again where the receiver does not answer."""

    connection: Connection

    def add(self, project: int, url: str, kinds: Sequence[Kind]) -> Webhook:
        """Send notices to an address from now on."""
        return read(Webhook, self.connection.post(_path(project), {"url": url, "kinds": list(kinds)}))

    def list_all(self, project: int) -> list[Webhook]:
        """All of a project."""
        return [read(Webhook, one) for one in self.connection.get(_path(project))]

    def secret(self, project: int, webhook: int) -> str:
        """What the receiver checks signatures with, once more."""
        return str(self.connection.get(_path(project, webhook, "secret"))["secret"])

    def set_state(self, project: int, webhook: int, state: Literal["active", "off"]) -> Webhook:
        """Turn it off, or on again; what waited is sent then."""
        said = self.connection.post(_path(project, webhook, "state"), {"state": state}, repeatable=True)
        return read(Webhook, said)

    def delete(self, project: int, webhook: int) -> None:
        """Send nothing more to the address."""
        self.connection.send("DELETE", _path(project, webhook))

    def ping(self, project: int, webhook: int) -> Delivery:
        """Send a `webhook.ping`, to try the address and the signature."""
        return read(Delivery, self.connection.post(_path(project, webhook, "ping")))

    def deliveries(self, project: int, webhook: int, *, before: int | None = None) -> list[Delivery]:
        """What was sent or waits, newest first, a hundred at a time; before: older than this one."""
        said = self.connection.get(_path(project, webhook, "deliveries"), {"before": before})
        return [read(Delivery, one) for one in said]

    def redeliver(self, project: int, webhook: int, delivery: int) -> Delivery:
        """Send a notice again, with the same id."""
        path = _path(project, webhook, "deliveries", delivery, "redeliver")
        return read(Delivery, self.connection.post(path))


def _path(project: int, *parts: int | str) -> str:
    return "/".join(["/api/projects", str(project), "webhooks", *map(str, parts)])
