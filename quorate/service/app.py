"""Application of the service: its routes, error handlers, middleware and background work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from fastapi.concurrency import run_in_threadpool
from starlette.types import Lifespan

import quorate
from quorate.service.config import Settings
from quorate.service.imports.thread import Importer
from quorate.service.monitoring.prometheus import Metrics
from quorate.service.rate_limits import Limits
from quorate.service.routes import (
    accounts,
    classify,
    exports,
    health,
    imports,
    index_page,
    item_media,
    items,
    members,
    models,
    overrides,
    pages,
    panel_entry,
    planning,
    progress,
    projects,
    session,
    stream,
    tokens,
    visit,
    webhooks,
    work,
    workers,
)
from quorate.service.routes.http.body_limits import BodyLimits
from quorate.service.routes.http.errors import add_error_handlers
from quorate.service.routes.http.openapi import describe
from quorate.service.routes.http.params import refuse_nul
from quorate.service.routes.http.request_log import RequestLog
from quorate.service.store.database import Store
from quorate.service.streams.shutdown import close_on_signals
from quorate.service.streams.streams import Streams
from quorate.service.webhooks.sender import Sender

SETUP = (session, accounts, tokens, planning, projects, progress, models, members, workers, webhooks)
POOL = (imports, items, overrides, item_media, exports, classify, stream)
VOTING = (panel_entry, visit)
ROUTERS = (work, health, *SETUP, *POOL, *VOTING, pages, index_page)  # the most frequent requests are matched first


def create_app(store: Store, settings: Settings, secret: bytes) -> FastAPI:
    """Return the application for a migrated database. secret: key that signs links and sessions."""
    app = routes(_lifespan)
    app.state.store, app.state.settings, app.state.secret = store, settings, secret
    app.state.limits, app.state.metrics = Limits(), Metrics(store)
    app.state.importer, app.state.streams = Importer(store, settings.data_folder), Streams(store)
    app.add_middleware(BodyLimits, json_bytes=settings.max_json_bytes, upload_bytes=settings.max_upload_bytes)
    app.add_middleware(RequestLog, metrics=app.state.metrics.requests)
    return app


def routes(lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """Return the application without a database, such as to generate its OpenAPI schema."""
    app = FastAPI(
        title="Quorate",
        version=quorate.__version__,
        summary=quorate.__doc__.split("\n")[0],
        lifespan=lifespan,
        dependencies=[Depends(refuse_nul)],
    )
    add_error_handlers(app)
    for module in ROUTERS:
        app.include_router(module.router)
    describe(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Send webhooks and resume interrupted imports while the service runs."""
    state = app.state
    sender = Sender(state.store, state.secret, allow_private=state.settings.allow_private_webhooks)
    sender.start()
    state.importer.resume()
    close_on_signals(state.streams)
    yield
    state.streams.close()
    await run_in_threadpool(state.importer.close)
    await run_in_threadpool(sender.stop)
    state.store.close()
