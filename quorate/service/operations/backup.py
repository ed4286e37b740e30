"""Back up a service while it runs, and bring it back: the database as of one moment, uploads, and the secret key.

The key is inside, since links and webhooks that it sealed could not be opened without it; so only the owner of a backup
may read it. On PostgreSQL its own tools do this better; the commands are told.
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
from quorate.service.store.connect import shown
from quorate.service.store.database import Store
from quorate.service.store.integrity import damage_of

MANIFEST, MEDIA = "manifest.json", "media"
PACKED = 3  # of gzip: images are packed already, and the rest packs well


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself."""

    quorate: str
    revision: str
    created_at: float
    sha256: str  # of the database


def back_up(store: Store, data_folder: Path, out: Path) -> Manifest:
    """Write a backup of a SQLite service, which may run meanwhile; the file is there whole or not at all.

    A damaged database is refused, since nothing could be restored from its copy.
    """
    assert store.path is not None
    if out.exists():
        raise FileError(f"{out} is there already: give another --out, or remove it")
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
    """A copy as of one moment, and its revision. Nobody waits: in WAL mode a reader does not block those who write."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)  # page by page, damaged ones too
    if (damage := damage_of(target)) is not None:
        raise FileError(
            f"the database {source} is damaged ({damage}), nothing was written: "
            "keep the last good backup, and restore it with `quorate restore`"
        )
    with closing(sqlite3.connect(target)) as new:
        new.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        (revision,) = new.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(revision)


def _pack(file: io.BufferedWriter, manifest: Manifest, copy: Path, data_folder: Path) -> None:
    # Uploads come after the database: a file is written before the row that names it, so none can be missing.
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=PACKED) as archive:
        text = json.dumps(asdict(manifest), indent=1).encode()
        head = tarfile.TarInfo(MANIFEST)
        head.size, head.mtime, head.mode = len(text), int(manifest.created_at), 0o600
        archive.addfile(head, io.BytesIO(text))
        archive.add(copy, DATABASE, filter=_nobody)
        for name in (KEY, MEDIA):
            if (path := data_folder / name).exists():
                archive.add(path, name, filter=_nobody)


def _nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Without the names of this machine's users, and without links or half-written files."""
    if not (entry.isfile() or entry.isdir()) or Path(entry.name).name.startswith("."):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def dump_commands(settings: Settings) -> tuple[str, str]:
    """What backs up a PostgreSQL service, without its password: PostgreSQL asks for it, or finds it in ~/.pgpass."""
    return (
        f"pg_dump --format=custom --file=quorate.dump {_bare(settings)}",
        f"tar -czf quorate-files.tar.gz -C {shlex.quote(str(settings.data_folder))} {_files(settings)}",
    )


def load_commands(settings: Settings) -> tuple[str, str]:
    """What brings it back, into an empty database."""
    return (
        f"pg_restore --no-owner --exit-on-error --dbname={_bare(settings)} quorate.dump",
        f"tar -xzf quorate-files.tar.gz -C {shlex.quote(str(settings.data_folder))}",
    )


def _files(settings: Settings) -> str:
    there = [name for name in (KEY, MEDIA) if (settings.data_folder / name).exists()]
    return " ".join(there) or KEY


def _bare(settings: Settings) -> str:
    return shlex.quote(shown(settings.database))
