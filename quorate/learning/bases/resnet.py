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
    """ResNet-18 or ResNet-34 with basic blocks, trained from scratch (He et al., 2016).

    x has the shape items x channels x height x width, as uint8 or as floats from 0 to 1.

    Args:
        depth: 18 or 34 layers.
        stem: first layers; "cifar" is a 3 x 3 convolution, for images of about 32 x 32; "image" is a 7 x 7 convolution
            and pooling, which together divide height and width by four.
        dropout: dropout rate on the features.
    """

    depth: Depth = 18
    stem: Stem = "cifar"
    dropout: float = 0.0

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """Return what is needed of x to build the network, as plain JSON."""
        return learn_images(x)

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        layers = stem_layers(spec["shape"][0], self.stem)
        inputs = CHANNELS[0]
        for stage, (outputs, n_blocks) in enumerate(zip(CHANNELS, BLOCKS[self.depth], strict=True)):
            for block in range(n_blocks):
                layers.append(BasicBlock(inputs, outputs, stride=2 if stage and not block else 1))
                inputs = outputs
        return ImageLayers(spec, nn.Sequential(*layers), CHANNELS[-1], self.dropout)

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check items and return them as rows of inputs to the network."""
        return image_rows(x, spec)


def stem_layers(inputs: int, kind: Stem) -> list[nn.Module]:
    """Return the first layers of the network."""
    size, stride = (3, 1) if kind == "cifar" else (7, 2)
    convolution = nn.Conv2d(inputs, CHANNELS[0], size, stride, padding=size // 2, bias=False)
    pooling = [] if kind == "cifar" else [nn.MaxPool2d(3, stride=2, padding=1)]
    return [convolution, nn.BatchNorm2d(CHANNELS[0]), nn.ReLU(), *pooling]


class BasicBlock(nn.Module):
    """Two convolutions whose output is added to the input."""

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
        """Return feature maps: (n, inputs, height, width) -> (n, outputs, height / stride, width / stride)."""
        return torch.relu(self.change(maps) + self.shortcut(maps))
