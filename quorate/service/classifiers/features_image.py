"""Pixels of small copies of images."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.service.classifiers.features_numeric import scale_of, scaled
from quorate.service.classifiers.item import Item, Media
from quorate.typing import Array

MOST_SIDE = 16  # pixels: an image that is smaller keeps its size
GREY, COLOUR = "L", "RGB"
LOOKED_AT = 20  # images that tell size and colour
DULL = 8  # an image whose red, green and blue differ by no more is grey


@dataclass(frozen=True, eq=False)
class Pixels:
    """Images as squares of side x side pixels, grey or in colour; each pixel on one scale, as numbers are.

    An image that is missing or cannot be read is taken to be like the mean of all.
    """

    side: int
    mode: str
    mean: Array
    deviation: Array

    @classmethod
    def learnt(cls, items: Sequence[Item], media: Media) -> Self:
        """From the items that teach."""
        images = [image for item in items[:LOOKED_AT] if (image := _opened(item, media)) is not None]
        side = min(MOST_SIDE, max((max(image.size) for image in images), default=1))
        mode = COLOUR if any(map(_is_colourful, images)) else GREY
        return cls(side, mode, *scale_of(_raw(items, media, side, mode)))

    def rows(self, items: Sequence[Item], media: Media) -> Array:
        """One row per item."""
        return scaled(_raw(items, media, self.side, self.mode), self.mean, self.deviation)


def _raw(items: Sequence[Item], media: Media, side: int, mode: str) -> NDArray[np.float32]:
    raw = np.full((len(items), side * side * len(mode)), np.nan, dtype=np.float32)
    for row, item in enumerate(items):
        image = _opened(item, media)
        if image is not None:
            raw[row] = np.asarray(image.convert(mode).resize((side, side), resample=4), dtype=np.float32).ravel()
    return raw


def _opened(item: Item, media: Media) -> Any:
    """The image of an item; None where there is none that can be read."""
    from PIL import Image  # heavy: imported by those who use it

    name = item.content.get("media")
    data = media(name) if isinstance(name, str) else None
    if data is None:
        return None
    try:
        image = Image.open(io.BytesIO(data))
        image.draft(None, (4 * MOST_SIDE, 4 * MOST_SIDE))  # a JPEG need not be read in full
        return image.convert(COLOUR)
    except Exception:  # what a broken file makes Pillow raise is not promised by it
        return None


def _is_colourful(image: Any) -> bool:
    bands = np.asarray(image.resize((MOST_SIDE, MOST_SIDE)), dtype=np.int16)
    return bool(np.ptp(bands, axis=2).max() > DULL)
