"""A recurrent network for texts, with word embeddings trained from scratch."""

from dataclasses import dataclass
from typing import Any, Literal

from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.bases._layers import masked_max, masked_mean
from quorate.learning.bases._recurrent import LstmStack
from quorate.learning.bases._texts import check_texts
from quorate.learning.bases._words import N_RESERVED, build_vocabulary, encode_tokens, tokenise, trim_padding
from quorate.learning.training.rows import Rows, TokenRows

Pooling = Literal["max", "mean"]


@dataclass(frozen=True, kw_only=True)
class Lstm:
    """Word embeddings, an LSTM over them, and the maximum or mean of its hidden states.

    x is a list of texts, whose words are taken in lower case.

    Args:
        embedding: size of a word embedding.
        hidden: hidden size of the LSTM, per direction.
        layers: number of stacked LSTM layers.
        both_ways: whether the LSTM is bidirectional.
        dropout: dropout rate, on embeddings, between layers and on features.
        pooling: "max" or "mean" over the hidden states.
        min_count: rarer words become one unknown word.
        most_words: maximum size of the vocabulary.
        max_tokens: longer texts are truncated to this number of words.
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
        """Return what is needed of x to build the network, as plain JSON."""
        return {"words": build_vocabulary(map(tokenise, check_texts(x)), self.min_count, self.most_words)}

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        return LstmLayers(len(spec["words"]), self)

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check items and return them as rows of inputs to the network."""
        return TokenRows(encode_tokens([tokenise(text) for text in check_texts(x)], spec["words"], self.max_tokens))


class LstmLayers(nn.Module):
    """Embeddings, LSTM and pooling."""

    def __init__(self, n_words: int, options: Lstm) -> None:
        super().__init__()
        self.embedding = nn.Embedding(n_words + N_RESERVED, options.embedding, padding_idx=0)
        self.reader = LstmStack(
            options.embedding,
            options.hidden,
            layers=options.layers,
            bidirectional=options.both_ways,
            dropout=options.dropout,
        )
        self.dropout = nn.Dropout(options.dropout)
        self.pool = masked_max if options.pooling == "max" else masked_mean
        self.size = self.reader.size

    def forward(self, token_ids: Tensor) -> Tensor:
        """Return features: (n, length) -> (n, size)."""
        token_ids, mask = trim_padding(token_ids)
        states, _ = self.reader(self.dropout(self.embedding(token_ids)), mask)
        return self.dropout(self.pool(states, mask))
