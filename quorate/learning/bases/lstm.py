"""A recurrent network for texts, which learns its words from them."""

from dataclasses import dataclass
from typing import Any, Literal

from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.bases._layers import average, highest
from quorate.learning.bases._recurrent import Reader
from quorate.learning.bases._texts import texts
from quorate.learning.bases._words import FIRST, encode, tokenise, trimmed, vocabulary
from quorate.learning.training.rows import Rows, TokenRows

Pooling = Literal["max", "mean"]


@dataclass(frozen=True, kw_only=True)
class Lstm:
    """Word embeddings, an LSTM over them, and the highest or mean of its states.

    x: a list of texts. Words are those of training, in lower case, that come `min_count` times or more, and at most
    `most_words` of them; all others are one unknown word. A text is read up to `max_tokens` words.
    """

    embedding: int = 100
    hidden: int = 128
    layers: int = 1
    both_ways: bool = True
    dropout: float = 0.0
    pooling: Pooling = "max"
    min_count: int = 2
    most_words: int = 20_000
    max_tokens: int = 256

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "embedding", "hidden", "layers", "min_count", "most_words", "max_tokens", at_least=1)
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        return {"words": vocabulary(map(tokenise, texts(x)), self.min_count, self.most_words)}

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        return LstmLayers(len(known["words"]), self)

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        return TokenRows(encode([tokenise(text) for text in texts(x)], known["words"], self.max_tokens))


class LstmLayers(nn.Module):
    """Embeddings, LSTM and pooling."""

    def __init__(self, n_words: int, options: Lstm) -> None:
        super().__init__()
        self.embedding = nn.Embedding(n_words + FIRST, options.embedding, padding_idx=0)
        self.reader = Reader(
            options.embedding,
            options.hidden,
            layers=options.layers,
            both_ways=options.both_ways,
            dropout=options.dropout,
        )
        self.dropout = nn.Dropout(options.dropout)
        self.pooled = highest if options.pooling == "max" else average
        self.size = self.reader.size

    def forward(self, tokens: Tensor) -> Tensor:
        """Features: (n, longest) -> (n, size)."""
        tokens, there = trimmed(tokens)
        states, _ = self.reader(self.dropout(self.embedding(tokens)), there)
        return self.dropout(self.pooled(states, there))
