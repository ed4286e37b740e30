"""Images and sounds that were uploaded: kept by the hash of their bytes, and told by a safe ending what they are."""

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

# What may be served, and as what: nothing that a browser would run (so no SVG, no HTML).
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

# A file that is opened by itself must not run anything, nor be taken for another type.
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, max-age=86400, immutable",
}


@dataclass(frozen=True)
class Media:
    """The folder `media` inside the data folder. A name is its path there: `media/ab/cdef....png`."""

    data_folder: Path

    def save(self, data: bytes, ending: str) -> str:
        """Keep bytes, whole or not at all, and return their name; the same bytes are kept once."""
        assert ending in TYPES, ending
        digest = hashlib.sha256(data).hexdigest()
        name = f"media/{digest[:2]}/{digest[2:]}{ending}"
        path = self.data_folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(path, data)
        return name

    def find(self, name: str) -> Path | None:
        """The file of a name; none where the name is not one of ours or the file is gone."""
        match = _NAME.fullmatch(name)
        if match is None or match[1] not in TYPES:
            return None
        path = self.data_folder / name
        return path if path.is_file() else None


def type_of(name: str) -> str:
    """The content type to serve a name as."""
    return TYPES[Path(name).suffix]


def is_sound(name: str) -> bool:
    """Whether a name or address is that of a sound."""
    return TYPES.get(Path(name.split("?")[0]).suffix.lower(), "").startswith("audio/")


def _write_whole(path: Path, data: bytes) -> None:
    """Written aside, flushed and renamed, so that a crash leaves no half of a file under its name."""
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(aside).replace(path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
