"""Integrity check of a SQLite file: its pages, its indexes, and its foreign keys."""

import sqlite3
from contextlib import closing
from pathlib import Path


def damage_of(database: Path) -> str | None:
    """Return what is wrong with a SQLite file, in one line; None where it is intact."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            dangling = connection.execute("PRAGMA foreign_key_check").fetchone() if verdict == "ok" else None
    except sqlite3.Error as error:  # some damage makes the check itself fail
        return str(error)
    if dangling is not None:
        return f"a row of {dangling[0]} refers to a row of {dangling[2]} that is missing"
    return None if verdict == "ok" else " ".join(verdict.split())
