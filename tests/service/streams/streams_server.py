"""Run a server that waits for open streams as long as they last: `python -m tests.service.streams.streams_server`."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

from quorate.service.routes import stream
from quorate.service.store.database import Store
from quorate.service.streams.shutdown import close_on_signals
from quorate.service.streams.streams import Streams
from tests.service.serving import app_of


@asynccontextmanager
async def life(app: FastAPI) -> AsyncIterator[None]:
    close_on_signals(app.state.streams)
    yield


def main(url: str, port: str) -> None:
    store = Store.open(url)
    app = app_of(store, stream.router)
    app.router.lifespan_context = life
    app.state.streams = Streams(store)
    uvicorn.run(app, port=int(port), log_level="warning")


if __name__ == "__main__":
    main(*sys.argv[1:])
