"""Whether the service lives, whether it can work, and its numbers for Prometheus."""

from ipaddress import ip_address
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError

from quorate.service.accounts.permissions import OWNER, READ
from quorate.service.errors import Refused
from quorate.service.monitoring.heartbeat import LATE_SECONDS, learner_age
from quorate.service.routes.authentication import identify
from quorate.service.store.database import Store
from quorate.service.store.migrations import newest, revision_of

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")

router = APIRouter(tags=["operations"])


@router.get("/healthz", summary="Whether the process lives")
async def healthz() -> dict[str, str]:
    """Answers as long as the process does; looks at nothing else."""
    return {"status": "alive"}


@router.get("/readyz", summary="Whether it can work", responses={503: {"description": "Not now; the answer says why."}})
def readyz(request: Request) -> JSONResponse:
    """Ready = the database answers, and its tables are those of this version.

    A late learner is told but does not make it 503: votes are taken and counted without it.
    """
    found = readiness(request.app.state.store)
    return JSONResponse(found, status_code=200 if found["status"] == "ready" else 503)


@router.get("/metrics", summary="Numbers for Prometheus", response_class=Response)
def metrics(request: Request) -> Response:
    """Given to whoever asks from this machine itself, not through a proxy; others need an owner's token."""
    if not is_local(request):
        _check_owner(request)
    return Response(request.app.state.metrics.page(), media_type=CONTENT_TYPE_LATEST)


def readiness(store: Store) -> dict[str, Any]:
    """What is ready and what is not."""
    try:
        with store.read() as connection:
            revision = revision_of(connection)
            age = learner_age(connection, store.clock()) if revision == newest() else None
    except SQLAlchemyError:
        return {"status": "not ready", "database": "unreachable", "migrated": False, "learner": None}
    return {
        "status": "ready" if revision == newest() else "not ready",
        "database": "ok",
        "migrated": revision == newest(),
        "learner": {"age_seconds": age, "late": age is None or age > LATE_SECONDS},
    }


def is_local(request: Request) -> bool:
    """Whether a request comes from this machine and not through a proxy, which would speak for anybody."""
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
        raise Refused("metrics are for owners: use a token of an owner that may read, or ask from the machine itself")
