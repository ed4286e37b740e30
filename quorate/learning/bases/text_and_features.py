"""Items that consist of a text and a row of features."""

from dataclasses import dataclass
from typing import Any

import torch
from scipy import sparse
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.errors import VotesError
from quorate.learning._scaling import Scale, learn_scale, scaled
from quorate.learning.bases._layers import Features, require_sizes
from quorate.learning.bases.lstm import Lstm
from quorate.learning.bases.mlp import Layers, Mlp
from quorate.learning.inputs import n_items
from quorate.learning.training.protocols import Base
from quorate.learning.training.rows import Rows, SeveralRows, number_rows


@dataclass(frozen=True, kw_only=True)
class TextAndFeatures:
    """The features of a base for texts, concatenated with scaled numeric features.

    x is a tuple (texts, features): the input of the base for texts, and a table of items x features.

    Args:
        text: any base for texts.
        sizes: size of each hidden layer over the concatenated features; () for none.
        dropout: dropout rate after each hidden layer.
        scale: scaling of the numeric features (see `Linear`).
    """

    text: Base = Lstm()  # noqa: RUF009 - a frozen value
    sizes: tuple[int, ...] = ()
    dropout: float = 0.0
    scale: Scale = "standard"

    def __post_init__(self) -> None:
        if self.sizes:
            require_sizes("sizes", self.sizes, "(128,)")
        require_numbers(self, "dropout", at_least=0, below=1)
        require_choices(self)

    def learn(self, x: Any) -> dict[str, Any]:
        """Return what is needed of x to build the network, as plain JSON."""
        texts, table = split_inputs(x)
        return {"text": self.text.learn(texts), "features": learn_scale(table, self.scale)}

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        return JoinedLayers(self.text.build(spec["text"]), spec["features"]["n_inputs"], self)

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check items and return them as rows of inputs to the network."""
        texts, table = split_inputs(x)
        return SeveralRows((self.text.rows(texts, spec["text"]), number_rows(scaled(table, spec["features"]))))


def split_inputs(x: Any) -> tuple[Any, Any]:
    """Check x and return its texts and its features."""
    if not isinstance(x, tuple) or len(x) != 2:
        raise VotesError(f"x must be a tuple (texts, features), got {type(x).__name__}")
    texts, table = x
    if sparse.issparse(table):
        raise VotesError("the features next to a text must be dense: pass features.toarray(), or fewer features")
    if n_items(texts) != n_items(table):
        raise VotesError(f"x has {n_items(texts)} texts, but {n_items(table)} rows of features: pass one row per text")
    return texts, table


class JoinedLayers(nn.Module):
    """Concatenation of text features and numeric features, and hidden layers over them."""

    def __init__(self, text: Any, n_inputs: int, options: TextAndFeatures) -> None:
        super().__init__()
        self.text = text
        joined = text.size + n_inputs
        hidden = Mlp(sizes=options.sizes, dropout=options.dropout) if options.sizes else None
        self.hidden = Features(joined) if hidden is None else Layers(joined, hidden)
        self.size = self.hidden.size

    def forward(self, batch: tuple[Any, Tensor]) -> Tensor:
        """Return features: (n, size)."""
        return self.hidden(torch.cat([self.text(batch[0]), batch[1]], dim=1))
