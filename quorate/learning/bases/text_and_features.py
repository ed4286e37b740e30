"""A text and a row of features for each item, seen together."""

from dataclasses import dataclass
from typing import Any

import torch
from scipy import sparse
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.errors import VotesError
from quorate.learning._inputs import n_items
from quorate.learning._scaling import Scale, learn_scale, scaled
from quorate.learning.bases._layers import Features, require_sizes
from quorate.learning.bases.lstm import Lstm
from quorate.learning.bases.mlp import Layers, Mlp
from quorate.learning.training.protocols import Base
from quorate.learning.training.rows import Rows, SeveralRows, number_rows


@dataclass(frozen=True, kw_only=True)
class TextAndFeatures:
    """What a base for texts makes of the text, beside the features on one scale (see Linear).

    x: (texts, features): a tuple of what the text base takes and a table of items x features.
    text: any base for texts. sizes: hidden layers over both; () for none. dropout: after each of these.
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
        """What must be known of x to build the network."""
        texts, table = both(x)
        return {"text": self.text.learn(texts), "features": learn_scale(table, self.scale)}

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        return JoinedLayers(self.text.build(known["text"]), known["features"]["n_inputs"], self)

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        texts, table = both(x)
        return SeveralRows((self.text.rows(texts, known["text"]), number_rows(scaled(table, known["features"]))))


def both(x: Any) -> tuple[Any, Any]:
    """The texts and the features of checked x."""
    if not isinstance(x, tuple) or len(x) != 2:
        raise VotesError(f"x must be a tuple (texts, features), got {type(x).__name__}")
    texts, table = x
    if sparse.issparse(table):
        raise VotesError("the features beside a text must be dense: give x.toarray(), or fewer of them")
    if n_items(texts) != n_items(table):
        raise VotesError(f"x has {n_items(texts)} texts, but {n_items(table)} rows of features: give one row per text")
    return texts, table


class JoinedLayers(nn.Module):
    """The features of the text and those given, side by side, and the hidden layers over them."""

    def __init__(self, text: Any, n_inputs: int, options: TextAndFeatures) -> None:
        super().__init__()
        self.text = text
        joined = text.size + n_inputs
        hidden = Mlp(sizes=options.sizes, dropout=options.dropout) if options.sizes else None
        self.hidden = Features(joined) if hidden is None else Layers(joined, hidden)
        self.size = self.hidden.size

    def forward(self, batch: tuple[Any, Tensor]) -> Tensor:
        """Features: (n, size)."""
        return self.hidden(torch.cat([self.text(batch[0]), batch[1]], dim=1))
