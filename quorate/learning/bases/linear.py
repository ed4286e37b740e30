"""No hidden layer: the linear layer of the head is applied to the input features."""

from dataclasses import dataclass
from typing import Any

from torch import nn

from quorate.data.option_checks import require_choices
from quorate.learning._scaling import Scale, learn_scale, scaled
from quorate.learning.bases._layers import Features
from quorate.learning.training.rows import Rows, number_rows


@dataclass(frozen=True, kw_only=True)
class Linear:
    """No hidden layer: the linear layer of the head is applied to the input features.

    With tf-idf features, dense or sparse, this is the network NN1 of the paper on hybrid classification services.

    scale: "standard" scales every feature to mean 0 and standard deviation 1; "shares" first takes the square root of
    its share in the sum of the item (for counts and activations); "ranks" replaces it by the normal quantile of its
    rank; "none" leaves it unchanged. Sparse features are never centred.
    """

    scale: Scale = "standard"

    def __post_init__(self) -> None:
        require_choices(self)

    def learn(self, x: Any) -> dict[str, Any]:
        """Return what is needed of x to build the network, as plain JSON."""
        return learn_scale(x, self.scale)

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        return Features(spec["n_inputs"])

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check items and return them as rows of inputs to the network."""
        return number_rows(scaled(x, spec))
