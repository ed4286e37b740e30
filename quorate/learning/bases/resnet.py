"""Residual networks for images."""

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.bases._images import ImageLayers, image_rows, learn_images
from quorate.learning.training.rows import Rows

Depth = Literal[18, 34]
Stem = Literal["cifar", "image"]
BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3)}
CHANNELS = (64, 128, 256, 512)


@dataclass(frozen=True, kw_only=True)
class Resnet:
    """ResNet-18 or ResNet-34 with basic blocks, from scratch (He et al., 2016).

    x: items x channels x height x width, as uint8 or as floats from 0 to 1.
    stem: "cifar" begins with a convolution of 3 x 3, for images of about 32 x 32; "image" with 7 x 7 and pooling, which
    together make height and width a quarter.
    """

    depth: Depth = 18
    stem: Stem = "cifar"
    dropout: float = 0.0

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        return learn_images(x)

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        layers = stem(known["shape"][0], self.stem)
        inputs = CHANNELS[0]
        for stage, (outputs, n_blocks) in enumerate(zip(CHANNELS, BLOCKS[self.depth], strict=True)):
            for place in range(n_blocks):
                layers.append(BasicBlock(inputs, outputs, stride=2 if stage and not place else 1))
                inputs = outputs
        return ImageLayers(known, nn.Sequential(*layers), CHANNELS[-1], self.dropout)

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        return image_rows(x, known)


def stem(inputs: int, kind: Stem) -> list[nn.Module]:
    """The first layers."""
    size, stride = (3, 1) if kind == "cifar" else (7, 2)
    convolution = nn.Conv2d(inputs, CHANNELS[0], size, stride, padding=size // 2, bias=False)
    pooling = [] if kind == "cifar" else [nn.MaxPool2d(3, stride=2, padding=1)]
    return [convolution, nn.BatchNorm2d(CHANNELS[0]), nn.ReLU(), *pooling]


class BasicBlock(nn.Module):
    """Two convolutions, whose outcome is added to what came in."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.change = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.shortcut: nn.Module = nn.Identity()
        if stride > 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, maps: Tensor) -> Tensor:
        """(n, inputs, height, width) -> (n, outputs, height / stride, width / stride)."""
        return torch.relu(self.change(maps) + self.shortcut(maps))
