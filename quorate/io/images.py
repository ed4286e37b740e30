"""Image files, read into one array."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_number
from quorate.errors import FileError, MissingExtraError


def read_images(paths: Iterable[str | Path], size: int) -> NDArray[np.uint8]:
    """Read images of any format and shape into one array: (n, 3, size, size), red, green and blue.

    They are stretched to a square, and rotated as their EXIF data say.
    """
    require_number("size", size, at_least=1, whole=True)
    files = [Path(path) for path in paths]
    images = np.empty((len(files), 3, size, size), dtype=np.uint8)
    for row, path in enumerate(files):
        image = _upright(path)
        images[row] = np.asarray(image.resize((size, size), _pillow()[0].Resampling.BILINEAR)).transpose(2, 0, 1)
    return images


def thumbnail(path: str | Path, most: int = 320) -> bytes:
    """Return an image as a small JPEG, upright and in its own shape, at most `most` pixels wide and high.

    Transparent parts become white.
    """
    image = _upright(Path(path), white=True)
    image.thumbnail((most, most), _pillow()[0].Resampling.LANCZOS)
    content = BytesIO()
    image.save(content, "JPEG", quality=82, optimize=True)
    return content.getvalue()


def _upright(path: Path, *, white: bool = False) -> Any:
    """Return an image in red, green and blue; with `white`, transparent parts become white."""
    pillow, transpose = _pillow()
    try:
        with pillow.open(path) as image:
            upright = transpose(image)
            if white and ("A" in upright.getbands() or "transparency" in upright.info):
                upright = upright.convert("RGBA")
                upright = pillow.alpha_composite(pillow.new("RGBA", upright.size, "white"), upright)
            return upright.convert("RGB")
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except (OSError, ValueError, SyntaxError, pillow.DecompressionBombError):  # what decoders raise
        raise FileError(f"{path}: cannot be read as an image: is it damaged, or not an image?") from None


def _pillow() -> tuple[Any, Any]:
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise MissingExtraError("reading images needs pillow: pip install pillow") from None
    return Image, ImageOps.exif_transpose
