"""The service's secret key, which signs links and CSRF values: from the environment, or a file with tight rights."""

import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from quorate.errors import FileError, MethodError

VARIABLE = "QUORATE_SECRET_KEY"
FILE_NAME = "secret.key"
SHORTEST = 32


def load_secret(folder: Path, environment: Mapping[str, str] = os.environ) -> bytes:
    """The key: that of the environment, else that of the data folder, which is made at the first start."""
    given = environment.get(VARIABLE)
    if given is not None:
        return _long_enough(given.strip().encode(), VARIABLE)
    path = folder / FILE_NAME
    if not path.exists():
        _make(path)
    _check_rights(path)
    return _long_enough(path.read_bytes().strip(), str(path))


def _long_enough(key: bytes, source: str) -> bytes:
    if len(key) < SHORTEST:
        raise MethodError(
            f"the secret key of {source} has {len(key)} characters, and must have at least {SHORTEST}: "
            'make one with `python -c "import secrets; print(secrets.token_urlsafe(32))"`'
        )
    return key


def _make(path: Path) -> None:
    """Write a new key aside and link it into place, so that of two processes at once both end up with the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{FILE_NAME}.{secrets.token_hex(8)}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(aside, path)
    except FileExistsError:
        pass  # another process was first: its key is the key
    finally:
        aside.unlink()


def _check_rights(path: Path) -> None:
    rights = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and rights & 0o077:
        raise FileError(f"others can read the secret key {path} (its rights are {rights:o}): run `chmod 600 {path}`")
