"""Wide residual networks for small images."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_numbers
from quorate.errors import MethodError
from quorate.learning.bases._images import ImageLayers, image_rows, learn_images
from quorate.learning.training.rows import Rows

CHANNELS = 16  # of the stem; the stages have 1, 2 and 4 times as many, times the width


@dataclass(frozen=True, kw_only=True)
class WideResnet:
    """WRN-depth-width: three stages of pre-activation blocks, wider than deep (Zagoruyko and Komodakis, 2016).

    x: items x channels x height x width, as uint8 or as floats from 0 to 1; about 32 x 32.
    depth: 4 and a multiple of 6, such as 16, 28 or 40. dropout: between the two convolutions of a block.
    """

    depth: int = 16
    width: int = 4
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if self.depth < 10 or (self.depth - 4) % 6:
            raise MethodError(f"depth must be 4 and a multiple of 6, such as 16, 28 or 40, got {self.depth}")
        require_numbers(self, "width", at_least=1)
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        return learn_images(x)

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        layers: list[nn.Module] = [nn.Conv2d(known["shape"][0], CHANNELS, 3, padding=1, bias=False)]
        inputs = CHANNELS
        for stage in range(3):
            outputs = CHANNELS * 2**stage * self.width
            for place in range((self.depth - 4) // 6):
                layers.append(WideBlock(inputs, outputs, 2 if stage and not place else 1, self.dropout))
                inputs = outputs
        layers += [nn.BatchNorm2d(inputs), nn.ReLU()]
        return ImageLayers(known, nn.Sequential(*layers), inputs)

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        return image_rows(x, known)


class WideBlock(nn.Module):
    """Batch norm and ReLU before each of two convolutions, whose outcome is added to what came in."""

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
        """(n, inputs, height, width) -> (n, outputs, height / stride, width / stride)."""
        active = torch.relu(self.norm(maps))
        return self.change(active) + (maps if self.shortcut is None else self.shortcut(active))
