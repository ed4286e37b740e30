"""Webhooks of a project, and the deliveries of their notifications."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.responses import Json, read

Kind = Literal["item.decided", "item.reopened", "project.completed", "budget.low"]


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """An address that receives notifications. secret: verifies their signatures; returned when the webhook is added."""

    id: int
    url: str
    kinds: list[str]
    state: str  # active | off
    created_at: float
    secret: str | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """A notification to a webhook: pending if `due_at` is set, otherwise delivered or given up."""

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
    """Webhooks, signed according to standardwebhooks.com, and sent again if the receiver does not respond."""

    connection: Connection

    def add(self, project: int, url: str, kinds: Sequence[Kind]) -> Webhook:
        """Add a webhook that sends notifications of these kinds to an address.

        Args:
            project: number of the project.
            url: address to send to.
            kinds: kinds of events to send.
        """
        return read(Webhook, self.connection.post(_path(project), {"url": url, "kinds": list(kinds)}))

    def list_all(self, project: int) -> list[Webhook]:
        """List the webhooks of a project."""
        return [read(Webhook, row) for row in self.connection.get(_path(project))]

    def secret(self, project: int, webhook: int) -> str:
        """Return the secret that verifies the signatures."""
        return str(self.connection.get(_path(project, webhook, "secret"))["secret"])

    def set_state(self, project: int, webhook: int, state: Literal["active", "off"]) -> Webhook:
        """Turn a webhook off, or on again; pending notifications are then sent.

        Args:
            project: number of the project.
            webhook: number of the webhook.
            state: new state.
        """
        response = self.connection.post(_path(project, webhook, "state"), {"state": state}, repeatable=True)
        return read(Webhook, response)

    def delete(self, project: int, webhook: int) -> None:
        """Delete a webhook."""
        self.connection.send("DELETE", _path(project, webhook))

    def ping(self, project: int, webhook: int) -> Delivery:
        """Send a `webhook.ping`, to test the address and the signature."""
        return read(Delivery, self.connection.post(_path(project, webhook, "ping")))

    def deliveries(self, project: int, webhook: int, *, before: int | None = None) -> list[Delivery]:
        """Return up to a hundred deliveries, newest first.

        Args:
            project: number of the project.
            webhook: number of the webhook.
            before: only deliveries older than this one.
        """
        rows = self.connection.get(_path(project, webhook, "deliveries"), {"before": before})
        return [read(Delivery, row) for row in rows]

    def redeliver(self, project: int, webhook: int, delivery: int) -> Delivery:
        """Send a notification again, with the same id.

        Args:
            project: number of the project.
            webhook: number of the webhook.
            delivery: number of the delivery.
        """
        path = _path(project, webhook, "deliveries", delivery, "redeliver")
        return read(Delivery, self.connection.post(path))


def _path(project: int, *parts: int | str) -> str:
    return "/".join(["/api/projects", str(project), "webhooks", *map(str, parts)])
