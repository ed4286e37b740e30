"""The service put together: routers, error handlers, and what every request needs."""

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
    consent,
    exports,
    health,
    imports,
    items,
    members,
    models,
    pages,
    progress,
    projects,
    seen,
    session,
    stream,
    tokens,
    visit,
    webhooks,
    work,
    workers,
)
from quorate.service.routes import index_page as home
from quorate.service.routes import item_media as shown
from quorate.service.routes import overrides as overriding
from quorate.service.routes import panel_entry as door
from quorate.service.routes import planning as designing
from quorate.service.routes.body_limits import BodyLimits
from quorate.service.routes.characters import refuse_nul
from quorate.service.routes.errors import add_error_handlers
from quorate.service.routes.openapi import describe
from quorate.service.routes.request_log import RequestLog
from quorate.service.store.database import Store
from quorate.service.streams.shutdown import close_on_signals
from quorate.service.streams.streams import Streams
from quorate.service.webhooks.sender import Sender

SETTING_UP = (session, accounts, tokens, designing, projects, progress, models, members, workers, webhooks)
POOL = (imports, items, overriding, shown, exports, classify, stream)
WORKING = (door, consent, visit, seen)
ROUTERS = (work, health, *SETTING_UP, *POOL, *WORKING, pages, home)  # what is called most is looked for first


def create_app(store: Store, settings: Settings, secret: bytes) -> FastAPI:
    """The service on a database that has its tables. secret: what links and sessions are signed with."""
    app = routes(_life)
    app.state.store, app.state.settings, app.state.secret = store, settings, secret
    app.state.limits, app.state.metrics = Limits(), Metrics(store)
    app.state.importer, app.state.streams = Importer(store, settings.data_folder), Streams(store)
    app.add_middleware(BodyLimits, json_bytes=settings.max_json_bytes, upload_bytes=settings.max_upload_bytes)
    app.add_middleware(RequestLog, metrics=app.state.metrics.requests)
    return app


def routes(lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """All that the service offers, with no database behind it: enough to tell what there is."""
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
async def _life(app: FastAPI) -> AsyncIterator[None]:
    """What runs beside the requests: notices are sent, and imports that were cut off go on."""
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
