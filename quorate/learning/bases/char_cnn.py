"""A convolutional network over the characters of a word, or of two words side by side."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_numbers
from quorate.learning.bases._layers import highest, require_heads, require_sizes
from quorate.learning.bases._texts import parts
from quorate.learning.bases._words import FIRST, MOST_CHARACTERS, encode, trimmed, vocabulary
from quorate.learning.training.rows import Rows, TokenRows


@dataclass(frozen=True, kw_only=True)
class CharCnn:
    """Character embeddings, convolutions with pooling, and attention: for short texts whose spelling tells.

    x: a list of texts, or of pairs such as (word, stem). A text is read up to `max_characters`.
    Both of a pair pass the same layers: for each window, convolutions with the given channels, ReLU, pooling by two.
    Each of the two then attends to the other (an attention of its own); a single text attends to itself.
    This is the network for stemming of Fornaciari et al. (2021), which leaves open what attends to what.
    """

    embedding: int = 50
    channels: tuple[int, ...] = (64, 128)
    windows: tuple[int, ...] = (3, 4, 5)
    heads: int = 4
    dropout: float = 0.0
    max_characters: int = 64

    def __post_init__(self) -> None:
        require_sizes("channels", self.channels, "(64, 128)")
        require_sizes("windows", self.windows, "(3, 4, 5)")
        require_numbers(self, "embedding", "max_characters", at_least=1)
        require_heads(self.width, self.heads)
        require_numbers(self, "dropout", at_least=0, below=1)

    @property
    def width(self) -> int:
        """Features at each place: those of all windows."""
        return self.channels[-1] * len(self.windows)

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        sides = parts(x)
        characters = vocabulary((text for side in sides for text in side), 1, MOST_CHARACTERS)
        return {"n_parts": len(sides), "characters": characters}

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        return CharLayers(len(known["characters"]), known["n_parts"], self)

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them."""
        sides = parts(x, known["n_parts"])
        tokens = encode([text for side in sides for text in side], known["characters"], self.max_characters)
        return TokenRows(tokens.view(len(sides), len(sides[0]), -1).transpose(0, 1).contiguous())


class CharLayers(nn.Module):
    """Embeddings, a tower of convolutions for each window, and attention."""

    def __init__(self, n_characters: int, n_parts: int, options: CharCnn) -> None:
        super().__init__()
        self.embedding = nn.Embedding(n_characters + FIRST, options.embedding, padding_idx=0)
        self.towers = nn.ModuleList(Tower(options.embedding, options.channels, window) for window in options.windows)
        width = options.width
        self.attentions = nn.ModuleList(
            nn.MultiheadAttention(width, options.heads, batch_first=True) for _ in range(n_parts)
        )
        self.dropout = nn.Dropout(options.dropout)
        self.size = width * n_parts

    def forward(self, tokens: Tensor) -> Tensor:
        """Features: (n, n_parts, longest) -> (n, size)."""
        tokens, there = trimmed(tokens)
        sides = [self._places(tokens[:, part], there[:, part]) for part in range(tokens.shape[1])]
        found = []
        for attention, (own, own_there), (other, other_there) in zip(self.attentions, sides, sides[::-1], strict=True):
            attended, _ = attention(own, other, other, key_padding_mask=~other_there, need_weights=False)
            found.append(highest(own + attended, own_there))
        return self.dropout(torch.cat(found, dim=1))

    def _places(self, tokens: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """What the convolutions make of each place, (n, places, width), and which places are there."""
        vectors = self.dropout(self.embedding(tokens)).transpose(1, 2)  # (n, embedding, longest)
        shares = there[:, None].float()
        outcomes = [tower(vectors, shares) for tower in self.towers]
        return torch.cat([maps for maps, _ in outcomes], dim=1).transpose(1, 2), outcomes[0][1][:, 0] > 0


class Tower(nn.Module):
    """Convolutions of one window, each with ReLU and pooling by two."""

    def __init__(self, inputs: int, channels: tuple[int, ...], window: int) -> None:
        super().__init__()
        before = (inputs, *channels)
        self.layers = nn.ModuleList(nn.Conv1d(one, other, window) for one, other in zip(before, channels, strict=False))
        self.margin = (window - 1) // 2, window // 2

    def forward(self, vectors: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """(n, inputs, longest), (n, 1, longest) -> (n, channels, places), (n, 1, places); 0 where nothing is there."""
        for layer in self.layers:
            maps = torch.relu(layer(nn.functional.pad(vectors, self.margin))) * there
            vectors = nn.functional.max_pool1d(maps, 2, ceil_mode=True)
            there = nn.functional.max_pool1d(there, 2, ceil_mode=True)
        return vectors, there
