"""Restoring of a backup to an empty data folder; it is checked before it is put in place."""

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
    """Restore a backup and return its manifest. It is unpacked, checked and migrated before it is put in place."""
    if data_folder.exists() and (not data_folder.is_dir() or any(data_folder.iterdir())):
        raise FileError(f"{data_folder} is not an empty folder: choose another --data, or move it away")
    parent = data_folder.absolute().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".quorate-restore-", dir=parent) as folder:
            unpacked = Path(folder, "data")
            _unpack(archive, unpacked)
            manifest = _read_manifest(archive, unpacked)
            _check_files(archive, unpacked, manifest)
            store = Store.open(f"sqlite:///{unpacked / DATABASE}")
            try:
                migrate(store)
            finally:
                store.close()
            unpacked.rename(data_folder)  # replaces an empty folder
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
                    raise FileError(f"{archive} is not a backup of quorate: it contains {entry.name!r}")
                file.extract(entry, folder, filter="data")  # refuses links and paths that lead outside of the folder
    except (tarfile.TarError, EOFError, OSError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(
            f"{archive} is not a complete backup of quorate: {getattr(error, 'strerror', None) or error}"
        ) from None
    if (folder / KEY).exists():
        (folder / KEY).chmod(0o600)


def _read_manifest(archive: Path, folder: Path) -> Manifest:
    try:
        manifest = Manifest(**json.loads((folder / MANIFEST).read_text()))
    except (OSError, ValueError, TypeError):
        raise FileError(f"{archive} is not a backup of quorate: it has no {MANIFEST}") from None
    (folder / MANIFEST).unlink()
    return manifest


def _check_files(archive: Path, folder: Path, manifest: Manifest) -> None:
    database = folder / DATABASE
    if not database.exists() or digest(database) != manifest.sha256:
        raise FileError(f"the database in {archive} is not the one that was backed up: use another backup")
    if (damage := damage_of(database)) is not None:
        raise FileError(f"the database in {archive} is damaged ({damage}): use another backup")
    for path in (folder / MEDIA).rglob("*"):
        # An upload is named by the hash of its bytes: media/ab/cdef....png
        if path.is_file() and digest(path) != path.parent.name + path.stem:
            raise FileError(f"{path.relative_to(folder)} in {archive} is damaged: use another backup")
