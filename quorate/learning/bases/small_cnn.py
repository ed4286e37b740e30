"""A small convolutional network for images."""

from dataclasses import dataclass
from typing import Any

from torch import nn

from quorate.data.option_checks import require_numbers
from quorate.learning.bases._images import ImageLayers, image_rows, learn_images
from quorate.learning.bases._layers import require_sizes
from quorate.learning.training.rows import Rows


@dataclass(frozen=True, kw_only=True)
class SmallCnn:
    """Blocks of 3 x 3 convolution, batch norm, ReLU and max pooling, then global average pooling.

    x has the shape items x channels x height x width, as uint8 or as floats from 0 to 1. Small enough to train on a
    thousand images with one CPU core.

    channels: output channels of each block; every block halves height and width. dropout: rate on the features.
    """

    channels: tuple[int, ...] = (32, 64, 128)
    dropout: float = 0.0

    def __post_init__(self) -> None:
        require_sizes("channels", self.channels, "(32, 64)")
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """Return what is needed of x to build the network, as plain JSON."""
        return learn_images(x)

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        sizes = zip((spec["shape"][0], *self.channels), self.channels, strict=False)
        blocks = [block(inputs, outputs) for inputs, outputs in sizes]
        return ImageLayers(spec, nn.Sequential(*blocks), self.channels[-1], self.dropout)

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check items and return them as rows of inputs to the network."""
        return image_rows(x, spec)


def block(inputs: int, outputs: int) -> nn.Module:
    """Build a block: (n, inputs, height, width) -> (n, outputs, height / 2, width / 2), rounded up."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
        nn.MaxPool2d(2, ceil_mode=True),
    )
