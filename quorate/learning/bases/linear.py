"""No hidden layer: the head's linear layer sees the features themselves."""

from dataclasses import dataclass
from typing import Any

from torch import nn

from quorate.learning._rows import Rows, number_rows
from quorate.learning.bases._scaling import Features, learn_scale, scaled


@dataclass(frozen=True, kw_only=True)
class Linear:
    """No hidden layer: the head's linear layer sees the features themselves.

    On tf-idf, dense or sparse, this is the network NN1 of the paper on hybrid classification services.
    """

    standardise: bool = True

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        return learn_scale(x, self.standardise)

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        return Features(known["n_inputs"])

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        return number_rows(scaled(x, known))
