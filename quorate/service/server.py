"""`quorate serve`, without its command line: the database, its lock, the learner, and the web server, in that order.

Ended by SIGTERM or Ctrl-C, it takes no new requests, finishes those in hand, stops the learner, and leaves with 0.
"""

import gc
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.connection import wait
from types import FrameType

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from quorate.errors import MethodError
from quorate.service.accounts.accounts import first_owner_link
from quorate.service.app import create_app
from quorate.service.config import PREFIX, Settings, load_settings
from quorate.service.learner.process import LearnerProcess
from quorate.service.logs import set_up_logs
from quorate.service.monitoring.prometheus import MULTIPROCESS
from quorate.service.secret_key import load_secret
from quorate.service.store.connect import open_database
from quorate.service.store.database import Store
from quorate.service.store.locks import serve_lock
from quorate.service.store.migrations import migrate
from quorate.service.supervisor import kept_alive

GRACE_SECONDS = 4  # for requests in hand when it is told to stop
KEEP_ALIVE_SECONDS = 75  # longer than nginx keeps its connections, so that none is closed under a request
HUNG_SECONDS = 30  # after which one of several processes that does not answer is replaced
BACKLOG = 2048
COLLECT_EVERY = 50_000  # new objects; Python's own choice is 700


def serve(settings: Settings, *, learner: bool, say: Callable[[str], None]) -> None:
    """Serve until told to stop. say: prints a line for the one who started it."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    set_up_logs(settings.log_level, settings.log_format)
    with ExitStack() as stack:
        store = open_database(settings.database)
        stack.callback(store.close)
        if settings.processes > 1 and store.is_sqlite:
            raise MethodError("SQLite has one process: use --processes 1, or PostgreSQL (--database-url) for several")
        stack.enter_context(serve_lock(store))
        stack.callback(_checkpoint, store)
        migrate(store)
        load_secret(settings.data_folder)  # made here once, before several processes look for it
        listening = stack.enter_context(_listen(settings))
        settings = settings.model_copy(update={"port": listening.getsockname()[1]})
        _greet(store, settings, say)
        if learner:
            stack.enter_context(kept_alive(LearnerProcess(settings.database, settings.data_folder)))
        store.close()  # the app opens its own
        _run(settings, listening)


def app_of_environment() -> FastAPI:
    """The app in a process of its own, one of several; it ends with the one that started it."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    settings = load_settings()
    set_up_logs(settings.log_level, settings.log_format)
    return _app(settings)


def _app(settings: Settings) -> FastAPI:
    _collect_garbage_rarely()
    return create_app(Store.open(settings.database), settings, load_secret(settings.data_folder))


def _collect_garbage_rarely() -> None:
    """Spare the garbage collector what lives as long as the process, and let it run less often.

    Otherwise it looks through all imported modules again and again while a large body is parsed, and nobody else is
    served for seconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY)


def _run(settings: Settings, listening: socket.socket) -> None:
    if settings.processes == 1:
        uvicorn.Server(_config(_app(settings))).run(sockets=[listening])
        return
    with tempfile.TemporaryDirectory(prefix="quorate-requests-") as folder:
        os.environ[MULTIPROCESS] = folder  # where they keep what they count, to be added up in /metrics
        _tell_children(settings)
        config = _config(f"{__name__}:app_of_environment", settings.processes)
        Multiprocess(config, sockets=[listening]).run()


def _config(app: FastAPI | str, processes: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=processes,
        http="httptools",
        lifespan="on",
        access_log=False,  # request_log has one line per request
        log_config=None,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_worker_healthcheck=HUNG_SECONDS,
        backlog=BACKLOG,
    )


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise MethodError(
            f"cannot listen on {settings.host}:{settings.port} ({why}): give another --port or --host"
        ) from None


def _greet(store: Store, settings: Settings, say: Callable[[str], None]) -> None:
    with store.write() as connection:
        link = first_owner_link(connection, settings.address, store.clock())
    if link is not None:
        say(f"Nobody owns this service yet. Become its owner here, once: {link}")
    say(f"Quorate serves at {settings.address} (stop it with Ctrl-C)")


def _tell_children(settings: Settings) -> None:
    """What may have come from the command line reaches the other processes by the environment."""
    for name in ("data_folder", "host", "port", "processes"):
        os.environ[f"{PREFIX}{name.upper()}"] = str(getattr(settings, name))
    os.environ[f"{PREFIX}DATABASE_URL"] = settings.database


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _checkpoint(store: Store) -> None:
    """Bring what is in the write-ahead log into the file: whoever copies the file alone then has all of it."""
    if store.is_sqlite:
        with store.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
