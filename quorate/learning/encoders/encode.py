"""Features of texts and images from an encoder, through the cache."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError, VotesError
from quorate.io.images import read_images
from quorate.learning.encoders.cache import FeatureCache, content_keys, default_folder, feature_cache
from quorate.learning.encoders.find import Encoder

IMAGE_SIDE = 224  # pixels, at which files of images are read
DTYPE = np.float16  # of stored features: half the space, and far more precise than features are informative


def encode_texts(encoder: Encoder, texts: Sequence[str]) -> NDArray[Any]:
    """Return the features of texts, (n_texts, size); only texts that are not in the cache are encoded."""
    contents, lengths = content_keys(texts), [len(text) for text in texts]
    return _cache(encoder).get(contents, lambda rows: encoder.encode([texts[row] for row in rows.tolist()]), lengths)


def encode_images(encoder: Encoder, images: Sequence[Path] | NDArray[Any]) -> NDArray[Any]:
    """Return the features of files or arrays of images, (n_images, size), with the same cache as texts."""
    if isinstance(images, np.ndarray):
        pixels = as_pixels(images)
        keys = content_keys([f"{pixels.shape[1:]}".encode() + image.tobytes() for image in pixels])
        return _cache(encoder).get(keys, lambda rows: encoder.encode(pixels[rows]))
    keys = content_keys([_content(Path(path)) for path in images])
    return _cache(encoder).get(
        keys, lambda rows: encoder.encode(read_images([images[row] for row in rows.tolist()], IMAGE_SIDE))
    )


def as_pixels(images: NDArray[Any]) -> NDArray[np.uint8]:
    """Return an array of images as red, green and blue from 0 to 255: (n, 3, height, width).

    images: (n, channels, height, width), of whole numbers from 0 to 255 or floats from 0 to 1; one channel is grey.
    """
    if images.ndim != 4 or images.shape[1] not in (1, 3):
        raise VotesError(f"images must be items x 3 (or 1) channels x height x width, got shape {images.shape}")
    highest = 1 if images.dtype.kind == "f" else 255
    if images.size and not (images.min() >= 0 and images.max() <= highest):  # also refuses NaN
        raise VotesError(f"images must hold {images.dtype} from 0 to {highest}, got {images.min()} to {images.max()}")
    whole = (images * 255).round() if highest == 1 else images
    return np.repeat(whole.astype(np.uint8), 3 // images.shape[1], axis=1)


def _cache(encoder: Encoder) -> FeatureCache:
    return feature_cache(default_folder(), encoder.version, encoder.size, DTYPE, optional=True)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None
