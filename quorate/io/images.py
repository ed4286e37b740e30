"""Image files, read into one array."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError, MethodError, MissingExtraError


def read_images(paths: Iterable[str | Path], size: int) -> NDArray[np.uint8]:
    """Images of any kind and shape as bytes in one shape: items x 3 (red, green, blue) x size x size.

    They are stretched to a square, and turned upright where the camera has noted how it was held.
    """
    if size < 1:
        raise MethodError(f"size must be at least 1, got {size}")
    pillow, turned = _pillow()
    files = [Path(path) for path in paths]
    images = np.empty((len(files), 3, size, size), dtype=np.uint8)
    for row, path in enumerate(files):
        try:
            with pillow.open(path) as image:
                whole = turned(image).convert("RGB").resize((size, size), pillow.Resampling.BILINEAR)
        except FileNotFoundError:
            raise FileError(f"{path}: there is no such file") from None
        except (OSError, ValueError, SyntaxError, pillow.DecompressionBombError):  # what decoders raise
            raise FileError(f"{path}: cannot be read as an image: is it damaged, or no image at all?") from None
        images[row] = np.asarray(whole).transpose(2, 0, 1)
    return images


def _pillow() -> tuple[Any, Any]:
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise MissingExtraError("reading images needs pillow: pip install pillow") from None
    return Image, ImageOps.exif_transpose
