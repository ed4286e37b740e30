"""A real server in a thread, for tests over HTTP."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import APIRouter, FastAPI

from quorate.service.config import Settings
from quorate.service.rate_limits import Limits
from quorate.service.routes.http.errors import add_error_handlers
from quorate.service.store.database import Store
from tests.service.waiting import PATIENCE

SECRET = b"a secret key that only tests know"


def app_of(store: Store, *routers: APIRouter) -> FastAPI:
    """Return an app with some routers only."""
    app = FastAPI()
    app.state.store, app.state.secret, app.state.settings = store, SECRET, Settings()
    app.state.limits = Limits(clock=store.clock)
    add_error_handlers(app)
    for router in routers:
        app.include_router(router)
    return app


class PromptServer(uvicorn.Server):
    """A server that stops at once: uvicorn checks only ten times a second, and hundreds of tests would wait."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def main_loop(self) -> None:
        """Wait until `stop` is called."""
        await self.on_tick(0)  # sets the headers of every response
        self.loop, self.stopping = asyncio.get_running_loop(), asyncio.Event()
        self.ready.set()
        await self.stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish the requests in progress, and close all connections."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        while self.server_state.connections or self.server_state.tasks:
            await asyncio.sleep(0.001)

    def stop(self) -> None:
        """End `main_loop`, from any thread."""
        self.loop.call_soon_threadsafe(self.stopping.set)


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """Serve an app in a thread; yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = PromptServer(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            assert server.ready.wait(PATIENCE)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.stop()
            thread.join()
