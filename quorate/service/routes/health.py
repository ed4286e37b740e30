"""Health of the service, and its metrics for Prometheus."""

from ipaddress import ip_address
from typing import Literal

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from quorate.service.accounts.permissions import OWNER, READ
from quorate.service.errors import Refused
from quorate.service.monitoring.heartbeat import LATE_SECONDS, learner_age
from quorate.service.routes.http.authentication import identify
from quorate.service.store.database import Store
from quorate.service.store.migrations import newest, revision_of

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")

router = APIRouter(tags=["operations"])


class Liveness(BaseModel):
    """Sign that the process answers."""

    status: Literal["alive"]


class LearnerHealth(BaseModel):
    """Seconds since the last heartbeat of the learner; null if there was none. late: more than a minute."""

    age_seconds: float | None
    late: bool


class Readiness(BaseModel):
    """State of the database and the learner. migrated: the tables are those of this version."""

    status: Literal["ready", "not ready"]
    database: Literal["ok", "unreachable"]
    migrated: bool
    learner: LearnerHealth | None


@router.get("/healthz", summary="Check that the process is alive")
async def healthz() -> Liveness:
    """Return `alive` without looking at the database."""
    return Liveness(status="alive")


@router.get(
    "/readyz",
    summary="Check that the service is ready",
    responses={503: {"model": Readiness, "description": "Not ready; the response says why."}},
)
def readyz(request: Request, response: Response) -> Readiness:
    """Check that the database answers and has the tables of this version.

    A late learner is reported, but is no reason for a 503: votes are accepted and counted without it.
    """
    state = readiness(request.app.state.store)
    response.status_code = 200 if state.status == "ready" else 503
    return state


@router.get(
    "/metrics",
    summary="Return metrics for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def metrics(request: Request) -> Response:
    """Return the metrics to requests from this machine, if not through a proxy; others need an owner's token."""
    if not is_local(request):
        _check_owner(request)
    return Response(request.app.state.metrics.page(), media_type=CONTENT_TYPE_LATEST)


def readiness(store: Store) -> Readiness:
    """Return the state of the database and the learner."""
    try:
        with store.read() as connection:
            revision = revision_of(connection)
            age = learner_age(connection, store.clock()) if revision == newest() else None
    except SQLAlchemyError:
        return Readiness(status="not ready", database="unreachable", migrated=False, learner=None)
    return Readiness(
        status="ready" if revision == newest() else "not ready",
        database="ok",
        migrated=revision == newest(),
        learner=LearnerHealth(age_seconds=age, late=age is None or age > LATE_SECONDS),
    )


def is_local(request: Request) -> bool:
    """Return whether a request comes from this machine, and not through a proxy, which may forward anybody's."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _check_owner(request: Request) -> None:
    with request.app.state.store.read() as connection:
        who = identify(connection, request)
    if who.role != OWNER or READ not in who.scopes:
        raise Refused(
            "metrics are for owners: use an owner's token with the scope read, or ask from the machine itself"
        )
