"""Files of encoders: their digests, by which a damaged or replaced file is noticed."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from quorate.errors import FileError


def fingerprint(files: Sequence[Path]) -> str:
    """Return a hash of the names and contents of files."""
    content = hashlib.sha256()
    for path in files:
        content.update(path.name.encode() + bytes.fromhex(digest(path)))
    return content.hexdigest()[:32]


def check_digests(folder: Path, digests: dict[str, str]) -> None:
    """Refuse a folder in which a file has another SHA-256 digest; digests: by file name."""
    for name, expected in digests.items():
        path = folder / name
        if not path.is_file():
            raise FileError(f"{path}: there is no such file: install its package again")
        if digest(path) != expected:
            raise FileError(
                f"{path}: is not the published file (SHA-256 {digest(path)[:12]}..., expected {expected[:12]}...): "
                "install its package again, or name a folder of your own as the encoder"
            )


def digest(path: Path) -> str:
    """Return the SHA-256 digest of a file, in hexadecimal; read again only where the file has changed."""
    status = path.stat()
    return _digest(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _digest(path: Path, modified: int, size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
