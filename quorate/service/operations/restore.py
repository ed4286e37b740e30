"""Bring a backup back into an empty data folder, checked before it is put in place."""

import json
import tarfile
import tempfile
from pathlib import Path

from quorate.errors import FileError
from quorate.service.config import DATABASE
from quorate.service.operations.backup import MANIFEST, MEDIA, Manifest, digest
from quorate.service.secret_key import FILE_NAME as KEY
from quorate.service.store.database import Store
from quorate.service.store.integrity import damage_of
from quorate.service.store.migrations import migrate


def restore(archive: Path, data_folder: Path) -> Manifest:
    """Unpack a backup, check that it is whole, bring its tables to today's, and put it in place, or do nothing."""
    if data_folder.exists() and (not data_folder.is_dir() or any(data_folder.iterdir())):
        raise FileError(f"{data_folder} is not an empty folder: give another --data, or move it away")
    home = data_folder.absolute().parent
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".quorate-restore-", dir=home) as folder:
            unpacked = Path(folder, "data")
            _unpack(archive, unpacked)
            manifest = _checked(archive, unpacked)
            store = Store.open(f"sqlite:///{unpacked / DATABASE}")
            try:
                migrate(store)
            finally:
                store.close()
            unpacked.rename(data_folder)  # onto an empty folder, or none
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{archive} cannot be restored to {data_folder}: {error.strerror or error}") from None
    return manifest


def _unpack(archive: Path, folder: Path) -> None:
    folder.mkdir(mode=0o700)
    try:
        with tarfile.open(archive, "r:gz") as file:
            for entry in file:
                if entry.name not in (MANIFEST, DATABASE, KEY, MEDIA) and not entry.name.startswith(f"{MEDIA}/"):
                    raise FileError(f"{archive} is no backup of quorate: it holds {entry.name!r}")
                file.extract(entry, folder, filter="data")  # refuses paths that lead out of the folder, and links
    except (tarfile.TarError, EOFError, OSError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(
            f"{archive} is no whole backup of quorate: {getattr(error, 'strerror', None) or error}"
        ) from None
    if (folder / KEY).exists():
        (folder / KEY).chmod(0o600)


def _checked(archive: Path, folder: Path) -> Manifest:
    try:
        manifest = Manifest(**json.loads((folder / MANIFEST).read_text()))
    except (OSError, ValueError, TypeError):
        raise FileError(f"{archive} is no backup of quorate: it has no {MANIFEST}") from None
    (folder / MANIFEST).unlink()
    database = folder / DATABASE
    if not database.exists() or digest(database) != manifest.sha256:
        raise FileError(f"the database in {archive} is not the one that was backed up: take another backup")
    if (damage := damage_of(database)) is not None:
        raise FileError(f"the database in {archive} is damaged ({damage}): take another backup")
    for path in (folder / MEDIA).rglob("*"):
        # An upload is named by the hash of its bytes: media/ab/cdef....png
        if path.is_file() and digest(path) != path.parent.name + path.stem:
            raise FileError(f"{path.relative_to(folder)} in {archive} is damaged: take another backup")
    return manifest
