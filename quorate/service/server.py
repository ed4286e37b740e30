"""`quorate serve` without its command line: it opens the database, takes its lock, and starts learner and web server.

On SIGTERM or Ctrl-C it accepts no new requests, finishes those under way, stops the learner, and exits with 0.
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
from quorate.service.supervisor import supervise

GRACE_SECONDS = 4  # for requests under way when it stops
KEEP_ALIVE_SECONDS = 75  # longer than the keep-alive of nginx, so that no connection is closed during a request
HUNG_SECONDS = 30  # after which a process that does not respond is replaced
BACKLOG = 2048
GC_THRESHOLD = 50_000  # new objects; the default of Python is 700


def serve(settings: Settings, *, learner: bool, print_line: Callable[[str], None]) -> None:
    """Serve until a signal stops it.

    Args:
        settings: of the service.
        learner: whether to start a learner process.
        print_line: prints a line for the person who started the service.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _exit)
    set_up_logs(settings.log_level, settings.log_format)
    with ExitStack() as stack:
        store = open_database(settings.database)
        stack.callback(store.close)
        if settings.processes > 1 and store.is_sqlite:
            raise MethodError("SQLite supports one process: use --processes 1, or PostgreSQL (--database-url)")
        stack.enter_context(serve_lock(store))
        stack.callback(_checkpoint, store)
        migrate(store)
        load_secret(settings.data_folder)  # creates it once, before several processes read it
        listener = stack.enter_context(_listen(settings))
        settings = settings.model_copy(update={"port": listener.getsockname()[1]})
        _print_address(store, settings, print_line)
        if learner:
            stack.enter_context(supervise(LearnerProcess(settings.database, settings.data_folder)))
        store.close()  # the app opens its own
        _run(settings, listener)


def app_of_environment() -> FastAPI:
    """Return the app of one of several processes; the process ends with its parent."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    settings = load_settings()
    set_up_logs(settings.log_level, settings.log_format)
    return _create_app(settings)


def _create_app(settings: Settings) -> FastAPI:
    _reduce_garbage_collection()
    return create_app(Store.open(settings.database), settings, load_secret(settings.data_folder))


def _reduce_garbage_collection() -> None:
    """Exclude the objects that exist now from garbage collection, and let it run less often.

    Otherwise it scans all imported modules again and again while a large body is parsed, and other requests wait for
    seconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def _run(settings: Settings, listener: socket.socket) -> None:
    if settings.processes == 1:
        uvicorn.Server(_config(_create_app(settings))).run(sockets=[listener])
        return
    with tempfile.TemporaryDirectory(prefix="quorate-requests-") as folder:
        os.environ[MULTIPROCESS] = folder  # counts of the processes, summed by /metrics
        _export_settings(settings)
        config = _config(f"{__name__}:app_of_environment", settings.processes)
        Multiprocess(config, sockets=[listener]).run()


def _config(app: FastAPI | str, processes: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=processes,
        http="httptools",
        lifespan="on",
        access_log=False,  # `routes.request_log` logs requests
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
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise MethodError(
            f"cannot listen on {settings.host}:{settings.port} ({reason}): choose another --port or --host"
        ) from None


def _print_address(store: Store, settings: Settings, print_line: Callable[[str], None]) -> None:
    with store.write() as connection:
        link = first_owner_link(connection, settings.address, store.clock())
    if link is not None:
        print_line(f"This service has no owner yet. Open this link once to become its owner: {link}")
    print_line(f"Quorate is running at {settings.address} (stop it with Ctrl-C)")


def _export_settings(settings: Settings) -> None:
    """Pass settings that may come from the command line to the other processes, in the environment."""
    for name in ("data_folder", "host", "port", "processes"):
        os.environ[f"{PREFIX}{name.upper()}"] = str(getattr(settings, name))
    os.environ[f"{PREFIX}DATABASE_URL"] = settings.database


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _checkpoint(store: Store) -> None:
    """Write the write-ahead log to the database file, so that a copy of this file alone is complete."""
    if store.is_sqlite:
        with store.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
