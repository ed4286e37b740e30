"""A multi-layer perceptron."""

from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning._scaling import Scale, learn_scale, scaled
from quorate.learning.bases._layers import require_sizes
from quorate.learning.training.rows import Dense, Rows, number_rows


@dataclass(frozen=True, kw_only=True)
class Mlp:
    """Hidden layers of the given sizes, each followed by batch norm where asked for, ReLU and dropout.

    scale: "standard", "shares", "ranks" or "none" (see `Linear`).
    """

    sizes: tuple[int, ...] = (128,)
    dropout: float = 0.0
    batch_norm: bool = False
    scale: Scale = "standard"

    def __post_init__(self) -> None:
        require_choices(self)
        require_sizes("sizes", self.sizes, "(128,)")
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        return learn_scale(x, self.scale)

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        return Layers(known["n_inputs"], self)

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        return number_rows(scaled(x, known))


class Layers(nn.Module):
    """The hidden layers."""

    def __init__(self, n_inputs: int, options: Mlp) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for before, size in zip((n_inputs, *options.sizes), options.sizes, strict=False):
            layers.append(Dense(before, size))
            layers += [nn.BatchNorm1d(size)] if options.batch_norm else []
            layers += [nn.ReLU(), nn.Dropout(options.dropout)]
        self.layers = nn.Sequential(*layers)
        self.size = options.sizes[-1]

    def forward(self, x: Tensor) -> Tensor:
        """Features: (n, size)."""
        return self.layers(x)
