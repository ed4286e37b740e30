"""Webhooks of a project: where its notices go (see standardwebhooks.com), and what became of them."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from quorate.service.accounts.permissions import may_manage
from quorate.service.outbound import MAX_URL_LENGTH, check_url
from quorate.service.projects import projects
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import MOST, Id, ProjectId, StoreOf
from quorate.service.store.database import Record
from quorate.service.webhooks import registry as webhooks
from quorate.service.webhooks.signature import new_nonce, secret_of

router = APIRouter(prefix="/api/projects/{project_id}/webhooks", tags=["webhooks"], responses=PROBLEMS)

Kind = Literal["item.decided", "item.reopened", "project.completed", "budget.low"]
Before = Annotated[int | None, Query(ge=1, le=MOST, description="Older than this delivery.")]


class Body(BaseModel):
    """A request: unknown names are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid")


class WebhookIn(Body):
    """Where to send notices, and which."""

    url: Annotated[str, Field(max_length=MAX_URL_LENGTH, examples=["https://example.org/hook"])]
    kinds: Annotated[list[Kind], Field(min_length=1, max_length=4, examples=[["item.decided", "budget.low"]])]


class WebhookState(Body):
    """Whether notices are sent."""

    state: Literal["active", "off"]


class WebhookOut(BaseModel):
    """A webhook. It is turned off where its receiver answers 410, or lets nothing in for three days."""

    id: int
    url: str
    kinds: list[str]
    state: str
    created_at: float


class SecretOut(BaseModel):
    """What a receiver checks signatures with."""

    secret: str = Field(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])


class NewWebhook(WebhookOut, SecretOut):
    """A new webhook and its secret."""


class DeliveryOut(BaseModel):
    """A notice to one webhook. It waits for its next try where `due_at` is given; else it arrived or was given up."""

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
    """Send notices to an address from now on."""
    check_url(body.url, allow_private=request.app.state.settings.allow_private_webhooks)
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        projects.get(connection, project_id)
        made = webhooks.add(connection, project_id, body.url, body.kinds, new_nonce(), caller.actor, store.clock())
        row = webhooks.get(connection, project_id, made)
    return NewWebhook(**_shown(row).model_dump(), secret=secret_of(request.app.state.secret, row.id, row.secret))


@router.get("")
def list_webhooks(project_id: ProjectId, caller: Caller, store: StoreOf) -> list[WebhookOut]:
    """The webhooks of a project."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        projects.get(connection, project_id)
        return [_shown(row) for row in webhooks.all_of(connection, project_id)]


@router.get("/{webhook_id}/secret")
def show_secret(project_id: ProjectId, webhook_id: Id, caller: Caller, store: StoreOf, request: Request) -> SecretOut:
    """What the receiver checks signatures with, once more."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        row = webhooks.get(connection, project_id, webhook_id)
    return SecretOut(secret=secret_of(request.app.state.secret, row.id, row.secret))


@router.post("/{webhook_id}/state")
def change_state(
    project_id: ProjectId, webhook_id: Id, body: WebhookState, caller: Caller, store: StoreOf
) -> WebhookOut:
    """Turn a webhook off, or on again; what waited is sent then."""
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        webhooks.set_state(connection, project_id, webhook_id, body.state, caller.actor, store.clock())
        return _shown(webhooks.get(connection, project_id, webhook_id))


@router.delete("/{webhook_id}", status_code=204)
def delete(project_id: ProjectId, webhook_id: Id, caller: Caller, store: StoreOf) -> None:
    """Send nothing more to an address."""
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        webhooks.set_state(connection, project_id, webhook_id, webhooks.DELETED, caller.actor, store.clock())


@router.post("/{webhook_id}/ping", status_code=202)
def ping(project_id: ProjectId, webhook_id: Id, caller: Caller, store: StoreOf) -> DeliveryOut:
    """Send a `webhook.ping`, to try the address and the signature; the deliveries tell what came of it."""
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        made = webhooks.ping(connection, project_id, webhook_id, store.clock())
        return _delivery(webhooks.delivery(connection, project_id, webhook_id, made))


@router.get("/{webhook_id}/deliveries")
def list_deliveries(
    project_id: ProjectId, webhook_id: Id, caller: Caller, store: StoreOf, before: Before = None
) -> list[DeliveryOut]:
    """What was sent or waits to be sent, newest first, a hundred at a time."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        return [_delivery(row) for row in webhooks.history(connection, project_id, webhook_id, before=before)]


@router.post("/{webhook_id}/deliveries/{delivery_id}/redeliver", status_code=202)
def redeliver(project_id: ProjectId, webhook_id: Id, delivery_id: Id, caller: Caller, store: StoreOf) -> DeliveryOut:
    """Send a notice again, with the same id."""
    with store.write() as connection:
        may_manage(connection, caller, project_id)
        webhooks.redeliver(connection, project_id, webhook_id, delivery_id, store.clock())
        return _delivery(webhooks.delivery(connection, project_id, webhook_id, delivery_id))


def _shown(row: Record) -> WebhookOut:
    return WebhookOut(id=row.id, url=row.url, kinds=row.kinds.split(","), state=row.state, created_at=row.created_at)


def _delivery(row: Record) -> DeliveryOut:
    return DeliveryOut(**{name: getattr(row, name) for name in DeliveryOut.model_fields})
