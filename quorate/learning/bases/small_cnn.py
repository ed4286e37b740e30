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
    """Blocks of convolution (3 x 3), batch norm, ReLU and pooling, then the mean over all places.

    x: items x channels x height x width, as uint8 or as floats from 0 to 1. channels: of each block, which halves
    height and width. Small enough to learn from a thousand images on one processor.
    """

    channels: tuple[int, ...] = (32, 64, 128)
    dropout: float = 0.0

    def __post_init__(self) -> None:
        require_sizes("channels", self.channels, "(32, 64)")
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        return learn_images(x)

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        before = (known["shape"][0], *self.channels)
        blocks = [block(inputs, outputs) for inputs, outputs in zip(before, self.channels, strict=False)]
        return ImageLayers(known, nn.Sequential(*blocks), self.channels[-1], self.dropout)

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        return image_rows(x, known)


def block(inputs: int, outputs: int) -> nn.Module:
    """One block: (n, inputs, height, width) -> (n, outputs, height / 2, width / 2), rounded up."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
        nn.MaxPool2d(2, ceil_mode=True),
    )
