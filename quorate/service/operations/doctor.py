"""Look at all that a service needs, from the machine up to the rules of its data. Nothing is changed."""

import shutil
import socket
import stat
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from quorate.errors import QuorateError
from quorate.service.config import Settings
from quorate.service.monitoring.work_state import learner_age
from quorate.service.operations.findings import Finding, bad, good, warn
from quorate.service.operations.invariants import broken_rules
from quorate.service.routes.health import LATE_SECONDS
from quorate.service.secret_key import FILE_NAME as KEY
from quorate.service.store.connect import first_line, reach_existing, shown
from quorate.service.store.database import Store
from quorate.service.store.locks import holder
from quorate.service.store.migrations import newest, revision_of
from quorate.service.store.tables import votes

PACKAGES = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "pydantic-settings", "argon2-cffi", "scikit-learn")
LITTLE_SPACE, NO_SPACE = 5e9, 5e8  # bytes
CLOCK_SECONDS = 5.0  # that two clocks may be apart


def examine(settings: Settings) -> Iterator[Finding]:
    """All findings, the machine's first."""
    yield good("Python", sys.version.split()[0])
    yield _packages()
    yield from _folder(settings.data_folder)
    yield _key(settings.data_folder / KEY)
    try:
        store = reach_existing(settings.database)
    except QuorateError as error:
        yield bad("database", str(error), "start it with `quorate serve`, or mend the address")
        return
    try:
        yield from _database(store)
    except DBAPIError as error:
        yield bad("database", first_line(error), "restore a backup with `quorate restore`")
    finally:
        store.close()
    yield _port(settings, store)


def _packages() -> Finding:
    missing, found = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return bad("packages", f"missing: {', '.join(missing)}", "pip install 'quorate[service]'")
    return good("packages", ", ".join(found))


def _folder(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        yield warn("data folder", f"{folder} is not there", "`quorate serve` makes it; else give it by --data")
        return
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o077:
        yield warn("data folder", f"{folder}: others can look into it ({mode:o})", f"chmod 700 {folder}")
    else:
        yield good("data folder", str(folder))
    free = shutil.disk_usage(folder).free
    found, to_do = f"{free / 1e9:,.1f} GB free", "free some: a full disk stops votes"
    if free < LITTLE_SPACE:
        yield bad("disk space", found, to_do) if free < NO_SPACE else warn("disk space", found, to_do)
    else:
        yield good("disk space", found)


def _key(path: Path) -> Finding:
    if not path.exists():
        return warn("secret key", f"{path} is not there", "`quorate serve` makes it, unless QUORATE_SECRET_KEY is set")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return bad("secret key", f"others can read {path} ({mode:o})", f"chmod 600 {path}")
    return good("secret key", f"{path}, for its owner only")


def _database(store: Store) -> Iterator[Finding]:
    yield good("database", shown(store.engine.url))
    with store.read() as connection:
        if store.is_sqlite:
            verdict = str(connection.scalar(text("PRAGMA quick_check(1)")))
            whole = verdict == "ok" and connection.execute(text("PRAGMA foreign_key_check")).first() is None
            yield good("integrity", "ok") if whole else bad("integrity", verdict, "restore a backup: `quorate restore`")
        revision = revision_of(connection)
        if revision != newest():
            found = f"revision {revision}, this quorate has {newest()}"
            yield bad("tables", found, "start `quorate serve`, which migrates; or upgrade quorate")
            return
        yield good("tables", f"revision {revision}")
        for rule, n in broken_rules(connection).items():
            if n:
                yield bad(rule, f"{n:,} rows are counted wrong", "restore a backup, and report this with the log")
            else:
                yield good(rule, "as counted again")
        yield _clock(store, connection.scalar(select(func.max(votes.c.given_at))))
        yield _learner(learner_age(connection, store.clock()))


def _clock(store: Store, last_vote: float | None) -> Finding:
    ahead = (last_vote or 0.0) - store.clock()
    if ahead > CLOCK_SECONDS:
        return bad("clock", f"the last vote is {ahead:,.0f} s in the future", "set this machine's clock, by NTP")
    if not store.is_sqlite:
        with store.engine.connect() as connection:
            apart = abs(
                float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0) - store.clock()
            )
        if apart > CLOCK_SECONDS:
            return warn("clock", f"{apart:,.0f} s from that of the database", "set both machines' clocks, by NTP")
    return good("clock", "after the last vote")


def _learner(age: float | None) -> Finding:
    if age is None:
        return warn("learner", "never ran here", "start it with `quorate serve`")
    found = f"told {age:,.0f} s ago that it lives"
    return warn("learner", found, "start it, or see its log") if age > LATE_SECONDS else good("learner", found)


def _port(settings: Settings, store: Store) -> Finding:
    place = f"{settings.host}:{settings.port}"
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError:
        server = holder(store, "serve")
        if server is not None:
            return good("port", f"{place} is in use; the service runs (pid {server})")
        return warn("port", f"{place} is in use or not of this machine", "unless that is the service, give another")
    return good("port", f"{place} is free")
