"""Pixels of small copies of images."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.service.classifiers.features_numeric import fit_scale, standardize
from quorate.service.classifiers.item import Item, MediaReader
from quorate.typing import Array

MAX_SIDE = 16  # pixels; smaller images keep their size
GREY, COLOUR = "L", "RGB"
N_INSPECTED = 20  # images that determine size and mode
MAX_GREY_RANGE = 8  # an image is grey if red, green and blue differ by no more than this


@dataclass(frozen=True, eq=False)
class ImageFeatures:
    """Images as side x side pixels, standardized.

    An image that is missing or cannot be read is represented by the mean.

    Attributes:
        side: width and height in pixels.
        mode: GREY or COLOUR.
        mean: mean of each pixel in the training items.
        deviation: standard deviation of each pixel in the training items.
    """

    side: int
    mode: str
    mean: Array
    deviation: Array

    @classmethod
    def fit(cls, items: Sequence[Item], media: MediaReader) -> Self:
        """Fit size, mode and scale to the training items."""
        images = [image for item in items[:N_INSPECTED] if (image := _open_image(item, media)) is not None]
        side = min(MAX_SIDE, max((max(image.size) for image in images), default=1))
        mode = COLOUR if any(map(_is_coloured, images)) else GREY
        return cls(side, mode, *fit_scale(_read_pixels(items, media, side, mode)))

    def transform(self, items: Sequence[Item], media: MediaReader) -> Array:
        """Return the features, one row per item."""
        return standardize(_read_pixels(items, media, self.side, self.mode), self.mean, self.deviation)


def _read_pixels(items: Sequence[Item], media: MediaReader, side: int, mode: str) -> NDArray[np.float32]:
    x = np.full((len(items), side * side * len(mode)), np.nan, dtype=np.float32)
    for row, item in enumerate(items):
        image = _open_image(item, media)
        if image is not None:
            x[row] = np.asarray(image.convert(mode).resize((side, side), resample=4), dtype=np.float32).ravel()
    return x


def _open_image(item: Item, media: MediaReader) -> Any:
    """Return the image of an item; None if it is missing or cannot be read."""
    from PIL import Image  # slow to import: only where it is used

    name = item.content.get("media")
    data = media(name) if isinstance(name, str) else None
    if data is None:
        return None
    try:
        image = Image.open(io.BytesIO(data))
        image.draft(None, (4 * MAX_SIDE, 4 * MAX_SIDE))  # a JPEG need not be decoded in full
        return image.convert(COLOUR)
    except Exception:  # Pillow does not document what it raises for broken files
        return None


def _is_coloured(image: Any) -> bool:
    pixels = np.asarray(image.resize((MAX_SIDE, MAX_SIDE)), dtype=np.int16)
    return bool(np.ptp(pixels, axis=2).max() > MAX_GREY_RANGE)
