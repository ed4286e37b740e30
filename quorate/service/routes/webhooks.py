"""Webhooks of a project (see standardwebhooks.com), and their deliveries."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from quorate.service.accounts.permissions import may_manage
from quorate.service.outbound import MAX_URL_LENGTH, check_url
from quorate.service.projects import projects
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import MAX_ID, Body, Id, ProjectId, StoreOf
from quorate.service.store.database import Record
from quorate.service.webhooks import registry
from quorate.service.webhooks.signature import new_nonce, secret_of

router = APIRouter(prefix="/api/projects/{project_id}/webhooks", tags=["webhooks"], responses=PROBLEMS)

Kind = Literal["item.decided", "item.reopened", "project.completed", "budget.low"]
Before = Annotated[int | None, Query(ge=1, le=MAX_ID, description="Only deliveries before this id.")]


class WebhookIn(Body):
    """URL of a webhook, and the kinds of messages it receives."""

    url: Annotated[str, Field(max_length=MAX_URL_LENGTH, examples=["https://example.org/hook"])]
    kinds: Annotated[list[Kind], Field(min_length=1, max_length=4, examples=[["item.decided", "budget.low"]])]


class WebhookState(Body):
    """New state of a webhook."""

    state: Literal["active", "off"]


class WebhookOut(BaseModel):
    """Webhook. It is turned off if its receiver returns 410, or accepts nothing for three days."""

    id: int
    url: str
    kinds: list[str]
    state: str
    created_at: float


class SecretOut(BaseModel):
    """Secret with which the receiver verifies signatures."""

    secret: str = Field(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])


class NewWebhook(WebhookOut, SecretOut):
    """Webhook with its secret."""


class DeliveryOut(BaseModel):
    """Message to a webhook. due_at: time of the next attempt; null if it was delivered or given up."""

    id: int
    message_id: str
    kind: str
    data: dict[str, Any]
    created_at: float
    due_at: float | None
    tries: int
    answer: str | None
    delivered_at: float | None


@router.post("", status_code=201)
def add(project_id: ProjectId, body: WebhookIn, caller: Caller, store: StoreOf, request: Request) -> NewWebhook:
    """Add a webhook."""
    check_url(body.url, allow_private=request.app.state.settings.allow_private_webhooks)
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        projects.get(connection, project_id)
        webhook_id = registry.add(
            connection, project_id, body.url, body.kinds, new_nonce(), caller.actor, store.clock()
        )
        row = registry.get(connection, project_id, webhook_id)
    return NewWebhook(**_to_webhook(row).model_dump(), secret=secret_of(request.app.state.secret, row.id, row.secret))


@router.get("")
def list_webhooks(project_id: ProjectId, caller: Caller, store: StoreOf) -> list[WebhookOut]:
    """List the webhooks of a project."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        projects.get(connection, project_id)
        return [_to_webhook(row) for row in registry.all_of(connection, project_id)]


@router.get("/{webhook_id}/secret")
def show_secret(project_id: ProjectId, webhook_id: Id, caller: Caller, store: StoreOf, request: Request) -> SecretOut:
    """Return the secret with which the receiver verifies signatures."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        row = registry.get(connection, project_id, webhook_id)
    return SecretOut(secret=secret_of(request.app.state.secret, row.id, row.secret))


@router.post("/{webhook_id}/state")
def change_state(
    project_id: ProjectId, webhook_id: Id, body: WebhookState, caller: Caller, store: StoreOf
) -> WebhookOut:
    """Turn a webhook off or on; waiting messages are sent when it is turned on."""
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        registry.set_state(connection, project_id, webhook_id, body.state, caller.actor, store.clock())
        return _to_webhook(registry.get(connection, project_id, webhook_id))


@router.delete("/{webhook_id}", status_code=204)
def delete(project_id: ProjectId, webhook_id: Id, caller: Caller, store: StoreOf) -> None:
    """Delete a webhook."""
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        registry.set_state(connection, project_id, webhook_id, registry.DELETED, caller.actor, store.clock())


@router.post("/{webhook_id}/ping", status_code=202)
def ping(project_id: ProjectId, webhook_id: Id, caller: Caller, store: StoreOf) -> DeliveryOut:
    """Send a `webhook.ping` to test the URL and the signature; the list of deliveries shows the outcome."""
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        delivery_id = registry.ping(connection, project_id, webhook_id, store.clock())
        return _to_delivery(registry.delivery(connection, project_id, webhook_id, delivery_id))


@router.get("/{webhook_id}/deliveries")
def list_deliveries(
    project_id: ProjectId, webhook_id: Id, caller: Caller, store: StoreOf, before: Before = None
) -> list[DeliveryOut]:
    """List messages that were sent or wait to be sent, newest first, a hundred at a time."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        return [_to_delivery(row) for row in registry.history(connection, project_id, webhook_id, before=before)]


@router.post("/{webhook_id}/deliveries/{delivery_id}/redeliver", status_code=202)
def redeliver(project_id: ProjectId, webhook_id: Id, delivery_id: Id, caller: Caller, store: StoreOf) -> DeliveryOut:
    """Send a message again, with the same id."""
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        registry.redeliver(connection, project_id, webhook_id, delivery_id, store.clock())
        return _to_delivery(registry.delivery(connection, project_id, webhook_id, delivery_id))


def _to_webhook(row: Record) -> WebhookOut:
    return WebhookOut(id=row.id, url=row.url, kinds=row.kinds.split(","), state=row.state, created_at=row.created_at)


def _to_delivery(row: Record) -> DeliveryOut:
    return DeliveryOut(**{name: getattr(row, name) for name in DeliveryOut.model_fields})
