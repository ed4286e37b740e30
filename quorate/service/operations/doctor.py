"""Checks of everything that a service needs, from the machine to the invariants of its data. Nothing is changed."""

import shutil
import socket
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import DBAPIError

from quorate.errors import QuorateError
from quorate.service.config import Settings
from quorate.service.monitoring.heartbeat import LATE_SECONDS, learner_age
from quorate.service.operations.invariants import broken_rules
from quorate.service.secret_key import FILE_NAME as KEY
from quorate.service.store.connect import driver_message, open_existing, url_without_password
from quorate.service.store.database import Store
from quorate.service.store.locks import holder
from quorate.service.store.migrations import newest, revision_of
from quorate.service.store.tables import votes

PACKAGES = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "pydantic-settings", "argon2-cffi", "scikit-learn")
LOW_DISK_BYTES, MIN_DISK_BYTES = 5e9, 5e8
MAX_CLOCK_SKEW = 5.0  # seconds
OK, WARN, BAD = "ok", "warn", "bad"


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Attributes:
        name: what was checked.
        level: OK, WARN (it works, but needs attention) or BAD (it does not work, or will soon stop).
        message: what was found.
        advice: what to do; empty where the level is OK.
    """

    name: str
    level: str
    message: str
    advice: str = ""


def examine(settings: Settings) -> Iterator[Finding]:
    """Run all checks and yield their findings, those of the machine first."""
    yield Finding("Python", OK, sys.version.split()[0])
    yield _check_packages()
    yield from _check_folder(settings.data_folder)
    yield _check_key(settings.data_folder / KEY)
    try:
        store = open_existing(settings.database)
    except QuorateError as error:
        yield Finding("database", BAD, str(error), "start it with `quorate serve`, or correct the address")
        return
    try:
        yield from _check_database(store)
    except DBAPIError as error:
        yield Finding("database", BAD, driver_message(error), "restore a backup with `quorate restore`")
    finally:
        store.close()
    yield _check_port(settings, store)


def _check_packages() -> Finding:
    missing, versions = [], []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("packages", BAD, f"missing: {', '.join(missing)}", "pip install 'quorate[service]'")
    return Finding("packages", OK, ", ".join(versions))


def _check_folder(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        advice = "`quorate serve` creates it; if it is elsewhere, name it with --data"
        yield Finding("data folder", WARN, f"{folder} does not exist", advice)
        return
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o077:
        yield Finding("data folder", WARN, f"{folder} is accessible to other users ({mode:o})", f"chmod 700 {folder}")
    else:
        yield Finding("data folder", OK, str(folder))
    free = shutil.disk_usage(folder).free
    message, advice = f"{free / 1e9:,.1f} GB free", "free some space: no votes can be stored on a full disk"
    if free < LOW_DISK_BYTES:
        yield Finding("disk space", BAD if free < MIN_DISK_BYTES else WARN, message, advice)
    else:
        yield Finding("disk space", OK, message)


def _check_key(path: Path) -> Finding:
    if not path.exists():
        advice = "`quorate serve` creates it, unless QUORATE_SECRET_KEY is set"
        return Finding("secret key", WARN, f"{path} does not exist", advice)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return Finding("secret key", BAD, f"other users can read {path} ({mode:o})", f"chmod 600 {path}")
    return Finding("secret key", OK, f"{path}, readable by its owner only")


def _check_database(store: Store) -> Iterator[Finding]:
    yield Finding("database", OK, url_without_password(store.engine.url))
    with store.read() as connection:
        if store.is_sqlite:
            yield _check_integrity(connection)
        revision = revision_of(connection)
        if revision != newest():
            message = f"revision {revision}; this version of quorate needs {newest()}"
            yield Finding("tables", BAD, message, "start `quorate serve`, which migrates them, or upgrade quorate")
            return
        yield Finding("tables", OK, f"revision {revision}")
        for rule, n in broken_rules(connection).items():
            if n:
                advice = "restore a backup, and report this with the log"
                yield Finding(rule, BAD, f"{n:,} rows differ from the recount", advice)
            else:
                yield Finding(rule, OK, "equal to the recount")
        yield _check_clock(store, connection.scalar(select(func.max(votes.c.given_at))))
        yield _check_learner(learner_age(connection, store.clock()))


def _check_integrity(connection: Connection) -> Finding:
    verdict = str(connection.scalar(text("PRAGMA quick_check(1)")))
    if verdict == "ok" and connection.execute(text("PRAGMA foreign_key_check")).first() is None:
        return Finding("integrity", OK, "ok")
    return Finding("integrity", BAD, verdict, "restore a backup: `quorate restore`")


def _check_clock(store: Store, last_vote: float | None) -> Finding:
    ahead = (last_vote or 0.0) - store.clock()
    if ahead > MAX_CLOCK_SKEW:
        message = f"the last vote is {ahead:,.0f} s in the future"
        return Finding("clock", BAD, message, "set the clock of this machine with NTP")
    if not store.is_sqlite:
        with store.engine.connect() as connection:
            now = float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0)
        skew = abs(now - store.clock())
        if skew > MAX_CLOCK_SKEW:
            message = f"{skew:,.0f} s apart from the clock of the database"
            return Finding("clock", WARN, message, "set the clocks of both machines with NTP")
    return Finding("clock", OK, "later than the last vote")


def _check_learner(age: float | None) -> Finding:
    if age is None:
        return Finding("learner", WARN, "has never run", "start it with `quorate serve`")
    message = f"last heartbeat {age:,.0f} s ago"
    if age > LATE_SECONDS:
        return Finding("learner", WARN, message, "start it, or read its log")
    return Finding("learner", OK, message)


def _check_port(settings: Settings, store: Store) -> Finding:
    address = f"{settings.host}:{settings.port}"
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError:
        pid = holder(store, "serve")
        if pid is not None:
            return Finding("port", OK, f"{address} is in use; the service runs (pid {pid})")
        message = f"{address} is in use, or is not an address of this machine"
        return Finding("port", WARN, message, "unless it is used by the service, choose another")
    return Finding("port", OK, f"{address} is free")
