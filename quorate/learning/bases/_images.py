"""Images: checked, kept in memory as they came, and turned into numbers batch by batch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from quorate.errors import VotesError

PART = 256  # images that are predicted at a time, so that what lies between the layers fits in memory


@dataclass(frozen=True, eq=False)
class ImageRows:
    """Images as bytes, or as numbers from 0 to 1: (n, channels, height, width)."""

    values: Tensor

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> Tensor:
        """See Rows; numbers from 0 to 1."""
        taken = self._numbers(rows)
        if other is None or share is None:
            return taken
        share = share[:, None, None, None]
        return share * taken + (1 - share) * self._numbers(other)

    def _numbers(self, rows: Tensor) -> Tensor:
        taken = self.values[rows]
        return taken.float() / 255 if taken.dtype == torch.uint8 else taken


def learn_images(x: Any) -> dict[str, Any]:
    """What a base for images must know of them: their shape, and the mean and deviation of every channel."""
    images = checked(x)
    total, squares = np.zeros(images.shape[1]), np.zeros(images.shape[1])
    for start in range(0, len(images), 1000):  # all at once would be eight times the bytes
        part = images[start : start + 1000].astype(np.float64) / (255 if images.dtype == np.uint8 else 1)
        total += part.sum(axis=(0, 2, 3))
        squares += (part**2).sum(axis=(0, 2, 3))
    mean = total / (images.size / images.shape[1])
    variance = squares / (images.size / images.shape[1]) - mean**2
    deviation = np.sqrt(np.where(variance > 1e-12, variance, 1.0))
    return {"shape": list(images.shape[1:]), "mean": mean.tolist(), "deviation": deviation.tolist()}


def image_rows(x: Any, known: dict[str, Any]) -> ImageRows:
    """Checked images of the shape that was learnt."""
    images = checked(x)
    if list(images.shape[1:]) != known["shape"]:
        raise VotesError(f"x has images of {_sizes(images.shape[1:])}, but the network saw {_sizes(known['shape'])}")
    return ImageRows(torch.from_numpy(np.ascontiguousarray(images)))


def checked(x: Any) -> NDArray[Any]:
    """Images as uint8, or as float32 from 0 to 1."""
    try:
        images = np.asarray(x)
    except ValueError:
        raise VotesError("x holds images of several shapes: bring them to one, such as by read_images") from None
    if images.ndim != 4 or 0 in images.shape:
        raise VotesError(f"x must be images, items x channels x height x width, got shape {images.shape}")
    if min(images.shape[1:3]) > 4 >= images.shape[3]:
        raise VotesError(f"x has its channels last, {images.shape}: give x.transpose(0, 3, 1, 2)")
    if images.dtype.kind not in "uif":
        raise VotesError(f"x must hold numbers, got {images.dtype}: give uint8, or floats from 0 to 1")
    if images.dtype.kind == "f":
        return _within(images, 1).astype(np.float32, copy=False)
    return images if images.dtype == np.uint8 else _within(images, 255).astype(np.uint8)


def _within(images: NDArray[Any], most: int) -> NDArray[Any]:
    low, high = images.min(), images.max()  # NaN, where there is one
    if not np.isfinite(low + high):
        row = int(np.argmin(np.isfinite(images).all(axis=(1, 2, 3))))
        raise VotesError(f"x holds NaN or infinity (row {row + 1}): leave the image out, or fill what is missing")
    if low < 0 or high > most:
        raise VotesError(f"x holds {low} to {high}: give uint8 from 0 to 255, or floats from 0 to 1")
    return images


def _sizes(shape: Any) -> str:
    return " x ".join(map(str, shape))


class ImageLayers(nn.Module):
    """Images on one scale, what a body makes of them, and the mean of that over all places."""

    mean: Tensor
    deviation: Tensor

    def __init__(self, known: dict[str, Any], body: nn.Module, size: int, dropout: float = 0.0) -> None:
        super().__init__()
        for name in ("mean", "deviation"):  # not among the weights: they are known
            self.register_buffer(name, torch.tensor(known[name], dtype=torch.float32)[:, None, None], persistent=False)
        self.body, self.dropout, self.size = body, nn.Dropout(dropout), size
        for layer in body.modules():
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, images: Tensor) -> Tensor:
        """Features: (n, size)."""
        parts = [images] if self.training else images.split(PART)
        return torch.cat([self._features(part) for part in parts])

    def _features(self, images: Tensor) -> Tensor:
        maps = self.body((images - self.mean) / self.deviation)  # (n, size, height, width)
        return self.dropout(maps.mean(dim=(2, 3)))
