"""Clients of an app with some routers, and headers of callers, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from fastapi import APIRouter, FastAPI

from quorate.service.accounts.credentials import new_session, new_voter_session
from quorate.service.imports.thread import Importer
from quorate.service.rate_limits import Limits
from quorate.service.routes.http.errors import add_error_handlers
from quorate.service.store.database import Store
from tests.service.people import new_account
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE


@contextmanager
def client_of(store: Store, folder: Path, *routers: APIRouter) -> Iterator[httpx.Client]:
    """Yield a client of an app with these routers, signed in as its owner."""
    app = FastAPI()
    app.state.store, app.state.secret, app.state.settings = store, SECRET, None
    app.state.limits, app.state.importer = Limits(clock=store.clock), Importer(store, folder)
    add_error_handlers(app)
    for router in routers:
        app.include_router(router)
    account = new_account(store)
    with store.write() as connection:
        session = new_session(connection, account, store.clock())
    with served(app) as address, httpx.Client(base_url=address, headers=bearer(session), timeout=PATIENCE) as client:
        yield client
    app.state.importer.close()


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def as_voter(store: Store, project_id: int, voter_id: int) -> dict[str, str]:
    with store.write() as connection:
        return bearer(new_voter_session(connection, voter_id, project_id, store.clock()))


def as_stranger(store: Store) -> dict[str, str]:
    """Return the headers of a requester of another project."""
    account = new_account(store, "eve", "requester")
    with store.write() as connection:
        return bearer(new_session(connection, account, store.clock()))
