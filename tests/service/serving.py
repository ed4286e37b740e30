"""A real server in a thread, for tests over HTTP."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import APIRouter, FastAPI

from quorate.service.api.errors import add_error_handlers
from quorate.service.api.limits import Limits
from quorate.service.settings import Settings
from quorate.service.store.database import Store
from tests.service.waiting import PATIENCE

SECRET = b"a secret key that only tests know"


def app_of(store: Store, *routers: APIRouter) -> FastAPI:
    """An app with some routers only."""
    app = FastAPI()
    app.state.store, app.state.secret, app.state.settings = store, SECRET, Settings()
    app.state.limits = Limits(clock=store.clock)
    add_error_handlers(app)
    for router in routers:
        app.include_router(router)
    return app


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The address of the app, while it is served."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        ready = threading.Event()
        startup = server.startup

        async def start(sockets: list[socket.socket] | None = None) -> None:
            await startup(sockets)
            ready.set()

        server.startup = start  # type: ignore[method-assign]
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            assert ready.wait(PATIENCE)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
