"""A convolutional network over the characters of a word, or of two words."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_numbers
from quorate.learning.bases._layers import masked_max, require_attention_heads, require_sizes
from quorate.learning.bases._texts import check_texts_or_pairs
from quorate.learning.bases._words import MAX_CHARACTERS, N_RESERVED, build_vocabulary, encode_tokens, trim_padding
from quorate.learning.training.rows import Rows, TokenRows


@dataclass(frozen=True, kw_only=True)
class CharCnn:
    """Character embeddings, convolutions with pooling, and attention: for short texts whose spelling is informative.

    x is a list of texts, or of pairs such as (word, stem). Both texts of a pair pass through the same layers: for each
    window size, convolutions with ReLU and max pooling by two. Then each text of a pair attends to the other, with
    attention weights of its own; a single text attends to itself. This is the stemming network of Fornaciari et al.
    (2021); the paper does not say what attends to what.

    Args:
        embedding: size of a character embedding.
        channels: output channels of the convolutions, one per layer.
        windows: kernel sizes; each has its own stack of convolutions.
        heads: attention heads; must divide `channels[-1] * len(windows)`.
        dropout: dropout rate, on embeddings and features.
        max_characters: longer texts are truncated to this length.
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
        require_attention_heads(self.width, self.heads)
        require_numbers(self, "dropout", at_least=0, below=1)

    @property
    def width(self) -> int:
        """Number of features per position: those of all windows."""
        return self.channels[-1] * len(self.windows)

    def learn(self, x: Any) -> dict[str, Any]:
        """Return what is needed of x to build the network, as plain JSON."""
        sides = check_texts_or_pairs(x)
        characters = build_vocabulary((text for side in sides for text in side), 1, MAX_CHARACTERS)
        return {"n_parts": len(sides), "characters": characters}

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        return CharLayers(len(spec["characters"]), spec["n_parts"], self)

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check items and return them as rows of inputs to the network."""
        sides = check_texts_or_pairs(x, spec["n_parts"])
        token_ids = encode_tokens([text for side in sides for text in side], spec["characters"], self.max_characters)
        return TokenRows(token_ids.view(len(sides), len(sides[0]), -1).transpose(0, 1).contiguous())


class CharLayers(nn.Module):
    """Embeddings, a stack of convolutions for each window, and attention."""

    def __init__(self, n_characters: int, n_parts: int, options: CharCnn) -> None:
        super().__init__()
        self.embedding = nn.Embedding(n_characters + N_RESERVED, options.embedding, padding_idx=0)
        self.towers = nn.ModuleList(Tower(options.embedding, options.channels, window) for window in options.windows)
        width = options.width
        self.attentions = nn.ModuleList(
            nn.MultiheadAttention(width, options.heads, batch_first=True) for _ in range(n_parts)
        )
        self.dropout = nn.Dropout(options.dropout)
        self.size = width * n_parts

    def forward(self, token_ids: Tensor) -> Tensor:
        """Return features: (n, n_parts, length) -> (n, size)."""
        token_ids, mask = trim_padding(token_ids)
        sides = [self._convolve(token_ids[:, part], mask[:, part]) for part in range(token_ids.shape[1])]
        features = []
        for attention, (own, own_mask), (other, other_mask) in zip(self.attentions, sides, sides[::-1], strict=True):
            attended, _ = attention(own, other, other, key_padding_mask=~other_mask, need_weights=False)
            features.append(masked_max(own + attended, own_mask))
        return self.dropout(torch.cat(features, dim=1))

    def _convolve(self, token_ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the output of the convolutions at each position, (n, positions, width), and its mask."""
        embeddings = self.dropout(self.embedding(token_ids)).transpose(1, 2)  # (n, embedding, length)
        outputs = [tower(embeddings, mask[:, None].float()) for tower in self.towers]
        return torch.cat([maps for maps, _ in outputs], dim=1).transpose(1, 2), outputs[0][1][:, 0] > 0


class Tower(nn.Module):
    """Convolutions of one window size, each with ReLU and max pooling by two."""

    def __init__(self, inputs: int, channels: tuple[int, ...], window: int) -> None:
        super().__init__()
        sizes = zip((inputs, *channels), channels, strict=False)
        self.layers = nn.ModuleList(nn.Conv1d(n_in, n_out, window) for n_in, n_out in sizes)
        self.padding = (window - 1) // 2, window // 2

    def forward(self, maps: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the feature maps and their mask, shortened by pooling; both are 0 at masked positions.

        Shapes: (n, inputs, length), (n, 1, length) -> (n, channels, positions), (n, 1, positions).
        """
        for layer in self.layers:
            maps = torch.relu(layer(nn.functional.pad(maps, self.padding))) * mask
            maps = nn.functional.max_pool1d(maps, 2, ceil_mode=True)
            mask = nn.functional.max_pool1d(mask, 2, ceil_mode=True)
        return maps, mask
