"""The service put together: routers, error handlers, and what every request needs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import quorate
from quorate.service.api import projects, work
from quorate.service.api.errors import add_error_handlers
from quorate.service.api.limits import Limits
from quorate.service.settings import Settings
from quorate.service.store.database import Store

ROUTERS = (projects, work)


def create_app(store: Store, settings: Settings, secret: bytes) -> FastAPI:
    """The service on a database that has its tables. secret: what links and sessions are signed with."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title="Quorate", version=quorate.__version__, summary=quorate.__doc__.split("\n")[0], lifespan=life)
    app.state.store, app.state.settings, app.state.secret = store, settings, secret
    app.state.limits = Limits()
    add_error_handlers(app)
    for module in ROUTERS:
        app.include_router(module.router)
    return app
