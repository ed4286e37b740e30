"""Uploaded images and audio files: named by the hash of their bytes, with an extension that gives their type."""

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

# Extensions of files that may be served, and their types: nothing that a browser would run (no SVG, no HTML).
TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".wav": "audio/wav",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
    ".m4a": "audio/mp4",
}
_NAME = re.compile(r"media/[0-9a-f]{2}/[0-9a-f]{62}(\.[a-z0-9]{3,4})")

# A file that is opened directly must not run anything, nor be interpreted as another type.
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, max-age=86400, immutable",
}


@dataclass(frozen=True)
class Media:
    """The folder `media` in the data folder. The name of a file is its path: `media/ab/cdef....png`."""

    data_folder: Path

    def save(self, data: bytes, extension: str) -> str:
        """Store bytes, completely or not at all, and return their name; the same bytes are stored once."""
        assert extension in TYPES, extension
        digest = hashlib.sha256(data).hexdigest()
        name = f"media/{digest[:2]}/{digest[2:]}{extension}"
        path = self.data_folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_atomically(path, data)
        return name

    def find(self, name: str) -> Path | None:
        """Return the file of a name; None where the name is invalid or the file does not exist."""
        match = _NAME.fullmatch(name)
        if match is None or match[1] not in TYPES:
            return None
        path = self.data_folder / name
        return path if path.is_file() else None


def type_of(name: str) -> str:
    """Return the content type of a file by its name."""
    return TYPES[Path(name).suffix]


def is_audio(name: str) -> bool:
    """Return whether a file name or an address is that of an audio file."""
    return TYPES.get(Path(name.split("?")[0]).suffix.lower(), "").startswith("audio/")


def _write_atomically(path: Path, data: bytes) -> None:
    """Write to a temporary file, flush and rename it, so that a crash leaves no partial file under the name."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
