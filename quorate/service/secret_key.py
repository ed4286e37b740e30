"""The secret key of the service, which signs links and CSRF tokens: from the environment, or from a private file."""

import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from quorate.errors import FileError, MethodError

VARIABLE = "QUORATE_SECRET_KEY"
FILE_NAME = "secret.key"
MIN_LENGTH = 32


def load_secret(folder: Path, environment: Mapping[str, str] = os.environ) -> bytes:
    """Return the key of the environment, otherwise that of the data folder, which is created at the first start."""
    value = environment.get(VARIABLE)
    if value is not None:
        return _check_length(value.strip().encode(), VARIABLE)
    path = folder / FILE_NAME
    if not path.exists():
        _create(path)
    _check_mode(path)
    return _check_length(path.read_bytes().strip(), str(path))


def _check_length(key: bytes, source: str) -> bytes:
    if len(key) < MIN_LENGTH:
        raise MethodError(
            f"the secret key of {source} has {len(key)} characters, but must have at least {MIN_LENGTH}: "
            'create one with `python -c "import secrets; print(secrets.token_urlsafe(32))"`'
        )
    return key


def _create(path: Path) -> None:
    """Write a new key to a temporary file and link it, so that two processes that start together use the same key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{FILE_NAME}.{secrets.token_hex(8)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    except FileExistsError:
        pass  # another process was first: its key is used
    finally:
        temporary.unlink()


def _check_mode(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        raise FileError(f"other users can read the secret key {path} (its mode is {mode:o}): run `chmod 600 {path}`")
