"""Wide residual networks for small images."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_numbers
from quorate.errors import MethodError
from quorate.learning.bases._images import ImageLayers, image_rows, learn_images
from quorate.learning.training.rows import Rows

CHANNELS = 16  # channels of the stem; the stages have 1, 2 and 4 times as many, times the width


@dataclass(frozen=True, kw_only=True)
class WideResnet:
    """WRN-depth-width: three stages of pre-activation blocks, wider than deep (Zagoruyko and Komodakis, 2016).

    x has the shape items x channels x height x width, as uint8 or as floats from 0 to 1; best with about 32 x 32.

    Args:
        depth: number of layers, 4 plus a multiple of 6, such as 16, 28 or 40.
        width: factor on the number of channels.
        dropout: dropout rate between the two convolutions of a block.
    """

    depth: int = 16
    width: int = 4
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if self.depth < 10 or (self.depth - 4) % 6:
            raise MethodError(f"depth must be 4 plus a multiple of 6, such as 16, 28 or 40, got {self.depth}")
        require_numbers(self, "width", at_least=1)
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """Return what is needed of x to build the network, as plain JSON."""
        return learn_images(x)

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        layers: list[nn.Module] = [nn.Conv2d(spec["shape"][0], CHANNELS, 3, padding=1, bias=False)]
        inputs = CHANNELS
        for stage in range(3):
            outputs = CHANNELS * 2**stage * self.width
            for block in range((self.depth - 4) // 6):
                layers.append(WideBlock(inputs, outputs, 2 if stage and not block else 1, self.dropout))
                inputs = outputs
        layers += [nn.BatchNorm2d(inputs), nn.ReLU()]
        return ImageLayers(spec, nn.Sequential(*layers), inputs)

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check items and return them as rows of inputs to the network."""
        return image_rows(x, spec)


class WideBlock(nn.Module):
    """Batch norm and ReLU before each of two convolutions, whose output is added to the input."""

    def __init__(self, inputs: int, outputs: int, stride: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.BatchNorm2d(inputs)
        self.change = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
        )
        self.shortcut = nn.Conv2d(inputs, outputs, 1, stride, bias=False) if inputs != outputs or stride > 1 else None

    def forward(self, maps: Tensor) -> Tensor:
        """Return feature maps: (n, inputs, height, width) -> (n, outputs, height / stride, width / stride)."""
        active = torch.relu(self.norm(maps))
        return self.change(active) + (maps if self.shortcut is None else self.shortcut(active))
