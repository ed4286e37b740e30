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
    """Hidden layers, each followed by optional batch norm, ReLU and dropout.

    Args:
        sizes: size of each hidden layer.
        dropout: dropout rate.
        batch_norm: whether to normalise before each ReLU.
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
        """Return what is needed of x to build the network, as plain JSON."""
        return learn_scale(x, self.scale)

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        return Layers(spec["n_inputs"], self)

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check items and return them as rows of inputs to the network."""
        return number_rows(scaled(x, spec))


class Layers(nn.Module):
    """Hidden layers of a multi-layer perceptron."""

    def __init__(self, n_inputs: int, options: Mlp) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for n_in, size in zip((n_inputs, *options.sizes), options.sizes, strict=False):
            layers.append(Dense(n_in, size))
            layers += [nn.BatchNorm1d(size)] if options.batch_norm else []
            layers += [nn.ReLU(), nn.Dropout(options.dropout)]
        self.layers = nn.Sequential(*layers)
        self.size = options.sizes[-1]

    def forward(self, x: Tensor) -> Tensor:
        """Return features: (n, n_inputs) -> (n, size)."""
        return self.layers(x)
