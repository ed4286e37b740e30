"""Backup of a running service to one file: a snapshot of the database, the uploads, and the secret key.

The key is included because links and webhooks that it signed would be invalid without it; therefore only the owner of
a backup may read it. PostgreSQL has better tools of its own: for it, this module gives the commands.
"""

import hashlib
import io
import json
import os
import shlex
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import quorate
from quorate.errors import FileError
from quorate.service.config import DATABASE, Settings
from quorate.service.secret_key import FILE_NAME as KEY
from quorate.service.store.connect import url_without_password
from quorate.service.store.database import Store
from quorate.service.store.integrity import damage_of

MANIFEST, MEDIA = "manifest.json", "media"
GZIP_LEVEL = 3  # images are compressed already, and the rest compresses well


@dataclass(frozen=True)
class Manifest:
    """The description of a backup, stored in it."""

    quorate: str
    revision: str
    created_at: float
    sha256: str  # of the database


def back_up(store: Store, data_folder: Path, out: Path) -> Manifest:
    """Write a backup of a SQLite service, which may be running, and return its manifest.

    The file is written completely or not at all. A damaged database is refused: its copy could not be restored.
    """
    assert store.path is not None
    if out.exists():
        raise FileError(f"{out} already exists: choose another --out, or remove it")
    try:
        with tempfile.TemporaryDirectory(prefix=".quorate-backup-", dir=out.parent) as folder:
            copy, draft = Path(folder, DATABASE), Path(folder, "draft")
            revision = _copy_database(store.path, copy)
            manifest = Manifest(quorate.__version__, revision, store.clock(), digest(copy))
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                _pack(file, manifest, copy, data_folder)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(out)
    except FileError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise FileError(f"the backup {out} cannot be written: {getattr(error, 'strerror', None) or error}") from None
    return manifest


def _copy_database(source: Path, target: Path) -> str:
    """Copy a snapshot of the database and return its revision. In WAL mode a reader does not block writers."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)  # page by page, including damaged pages
    if (damage := damage_of(target)) is not None:
        raise FileError(
            f"the database {source} is damaged ({damage}), and no backup was written: "
            "keep the last good backup, and restore it with `quorate restore`"
        )
    with closing(sqlite3.connect(target)) as new:
        new.execute("PRAGMA journal_mode = DELETE")  # one file, without a separate log
        (revision,) = new.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(revision)


def _pack(file: io.BufferedWriter, manifest: Manifest, copy: Path, data_folder: Path) -> None:
    # Uploads are added after the database: a file is written before the row that names it, so none can be missing.
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=GZIP_LEVEL) as archive:
        text = json.dumps(asdict(manifest), indent=1).encode()
        entry = tarfile.TarInfo(MANIFEST)
        entry.size, entry.mtime, entry.mode = len(text), int(manifest.created_at), 0o600
        archive.addfile(entry, io.BytesIO(text))
        archive.add(copy, DATABASE, filter=_anonymous)
        for name in (KEY, MEDIA):
            if (path := data_folder / name).exists():
                archive.add(path, name, filter=_anonymous)


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return the entry without the names of this machine's users; None for links and half-written files."""
    if not (entry.isfile() or entry.isdir()) or Path(entry.name).name.startswith("."):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def dump_commands(settings: Settings) -> tuple[str, str]:
    """Return the commands that back up a PostgreSQL service. They ask for the password, or read it from ~/.pgpass."""
    return (
        f"pg_dump --format=custom --file=quorate.dump {_quoted_url(settings)}",
        f"tar -czf quorate-files.tar.gz -C {shlex.quote(str(settings.data_folder))} {_files(settings)}",
    )


def load_commands(settings: Settings) -> tuple[str, str]:
    """Return the commands that restore it to an empty database."""
    return (
        f"pg_restore --no-owner --exit-on-error --dbname={_quoted_url(settings)} quorate.dump",
        f"tar -xzf quorate-files.tar.gz -C {shlex.quote(str(settings.data_folder))}",
    )


def _files(settings: Settings) -> str:
    names = [name for name in (KEY, MEDIA) if (settings.data_folder / name).exists()]
    return " ".join(names) or KEY


def _quoted_url(settings: Settings) -> str:
    return shlex.quote(url_without_password(settings.database))
