"""No hidden layer: the head's linear layer sees the features themselves."""

from dataclasses import dataclass
from typing import Any

from torch import nn

from quorate.data.option_checks import require_choices
from quorate.learning._scaling import Scale, learn_scale, scaled
from quorate.learning.bases._layers import Features
from quorate.learning.training.rows import Rows, number_rows


@dataclass(frozen=True, kw_only=True)
class Linear:
    """No hidden layer: the head's linear layer sees the features themselves.

    On tf-idf, dense or sparse, this is the network NN1 of the paper on hybrid classification services.

    scale: "standard" gives every feature mean 0 and deviation 1, "shares" takes the square root of its share in the
    item first (for counts and activations), "ranks" its rank as a normal deviate; "none" leaves it as it is. Sparse
    features are never centred.
    """

    scale: Scale = "standard"

    def __post_init__(self) -> None:
        require_choices(self)

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        return learn_scale(x, self.scale)

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        return Features(known["n_inputs"])

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        return number_rows(scaled(x, known))
