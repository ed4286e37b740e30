"""A real server in a thread, for tests over HTTP."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse

from quorate.service import errors
from quorate.service.api.limits import Limits
from quorate.service.store.database import Store

SECRET = b"a secret key that only tests know"
STATUS = {
    errors.NotFound: 404,
    errors.Refused: 403,
    errors.NotSignedIn: 401,
    errors.Conflict: 409,
    errors.Invalid: 422,
    errors.TooLarge: 413,
    errors.TooMany: 429,
}


def app_of(store: Store, *routers: APIRouter) -> FastAPI:
    """An app with some routers only."""
    app = FastAPI()
    app.state.store, app.state.secret, app.state.settings = store, SECRET, None
    app.state.limits = Limits(clock=store.clock)
    app.add_exception_handler(errors.ServiceError, _answer)
    for router in routers:
        app.include_router(router)
    return app


async def _answer(_: Request, error: Exception) -> JSONResponse:
    retry = getattr(error, "retry_after", None)
    headers = {} if retry is None else {"Retry-After": str(retry)}
    return JSONResponse({"error": str(error)}, STATUS[type(error)], headers)


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
        assert ready.wait(10)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
