"""Images: checked, kept in memory in their own type, and converted to floats batch by batch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from quorate.errors import VotesError

BATCH_SIZE = 256  # images per forward pass in evaluation mode, which bounds the memory for activations


@dataclass(frozen=True, eq=False)
class ImageRows:
    """Images as uint8, or as floats from 0 to 1: (n, channels, height, width)."""

    values: Tensor

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> Tensor:
        """Return these images as floats from 0 to 1, mixed with others where asked for (see `Rows`)."""
        images = self._as_floats(rows)
        if other is None or share is None:
            return images
        share = share[:, None, None, None]
        return share * images + (1 - share) * self._as_floats(other)

    def _as_floats(self, rows: Tensor) -> Tensor:
        images = self.values[rows]
        return images.float() / 255 if images.dtype == torch.uint8 else images


def learn_images(x: Any) -> dict[str, Any]:
    """Return the shape of the images, and the mean and standard deviation of each channel."""
    images = check_images(x)
    total, squares = np.zeros(images.shape[1]), np.zeros(images.shape[1])
    for start in range(0, len(images), 1000):  # converting all at once would take eight times the memory
        part = images[start : start + 1000].astype(np.float64) / (255 if images.dtype == np.uint8 else 1)
        total += part.sum(axis=(0, 2, 3))
        squares += (part**2).sum(axis=(0, 2, 3))
    mean = total / (images.size / images.shape[1])
    variance = squares / (images.size / images.shape[1]) - mean**2
    deviation = np.sqrt(np.where(variance > 1e-12, variance, 1.0))
    return {"shape": list(images.shape[1:]), "mean": mean.tolist(), "deviation": deviation.tolist()}


def image_rows(x: Any, spec: dict[str, Any]) -> ImageRows:
    """Check images, also against the shape of those in training, and return them as rows."""
    images = check_images(x)
    if list(images.shape[1:]) != spec["shape"]:
        raise VotesError(
            f"x has images of {_format_shape(images.shape[1:])}, but the network saw {_format_shape(spec['shape'])}"
        )
    return ImageRows(torch.from_numpy(np.ascontiguousarray(images)))


def check_images(x: Any) -> NDArray[Any]:
    """Check images and return them as uint8, or as float32 from 0 to 1."""
    try:
        images = np.asarray(x)
    except ValueError:
        raise VotesError(
            "x holds images of several shapes: resize them to one shape, for example with read_images"
        ) from None
    if images.ndim != 4 or 0 in images.shape:
        raise VotesError(f"x must be images, items x channels x height x width, got shape {images.shape}")
    if min(images.shape[1:3]) > 4 >= images.shape[3]:
        raise VotesError(f"x has its channels last, {images.shape}: pass x.transpose(0, 3, 1, 2)")
    if images.dtype.kind not in "uif":
        raise VotesError(f"x must hold numbers, got {images.dtype}: pass uint8, or floats from 0 to 1")
    if images.dtype.kind == "f":
        return _check_range(images, 1).astype(np.float32, copy=False)
    return images if images.dtype == np.uint8 else _check_range(images, 255).astype(np.uint8)


def _check_range(images: NDArray[Any], max_value: int) -> NDArray[Any]:
    low, high = images.min(), images.max()  # NaN if any value is NaN
    if not np.isfinite(low + high):
        row = int(np.argmin(np.isfinite(images).all(axis=(1, 2, 3))))
        raise VotesError(f"x holds NaN or infinity (row {row + 1}): leave the image out, or fill in the missing values")
    if low < 0 or high > max_value:
        raise VotesError(f"x holds values from {low} to {high}: pass uint8 from 0 to 255, or floats from 0 to 1")
    return images


def _format_shape(shape: Any) -> str:
    return " x ".join(map(str, shape))


class ImageLayers(nn.Module):
    """Standardisation of each channel, the body of the network, and global average pooling."""

    mean: Tensor
    deviation: Tensor

    def __init__(self, spec: dict[str, Any], body: nn.Module, size: int, dropout: float = 0.0) -> None:
        super().__init__()
        for name in ("mean", "deviation"):  # not persistent: saved with `spec`, not with the weights
            self.register_buffer(name, torch.tensor(spec[name], dtype=torch.float32)[:, None, None], persistent=False)
        self.body, self.dropout, self.size = body, nn.Dropout(dropout), size
        for layer in body.modules():
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, images: Tensor) -> Tensor:
        """Return features: (n, size)."""
        batches = [images] if self.training else images.split(BATCH_SIZE)
        return torch.cat([self._features(batch) for batch in batches])

    def _features(self, images: Tensor) -> Tensor:
        maps = self.body((images - self.mean) / self.deviation)  # (n, size, height, width)
        return self.dropout(maps.mean(dim=(2, 3)))
