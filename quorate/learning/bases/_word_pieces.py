"""Texts as a transformer takes them: token ids of word pieces, from the tokeniser of the transformer."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quorate.errors import MethodError


@dataclass(frozen=True, eq=False)
class WordPieceRows:
    """Token ids of texts, or of pairs of texts; they cannot be mixed.

    Args:
        token_ids: (n, length), padded.
        token_type_ids: (n, length), 1 for tokens of the second text of a pair; None if the network does not use them.
        lengths: (n,), tokens of each row.
    """

    token_ids: Tensor
    token_type_ids: Tensor | None
    lengths: Tensor

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> "WordPieceRows":
        """Return these rows, trimmed to the longest of them (see `Rows`)."""
        if other is not None:
            raise MethodError("mixup needs numeric inputs: leave mixup at 0, or set train='none' for the texts")
        lengths = self.lengths[rows]
        longest = max(1, int(lengths.max())) if len(rows) else 1
        token_type_ids = None if self.token_type_ids is None else self.token_type_ids[rows, :longest]
        return WordPieceRows(self.token_ids[rows, :longest], token_type_ids, lengths)

    @property
    def mask(self) -> Tensor:
        """Attention mask, (n, length): which positions hold a token."""
        return torch.arange(self.token_ids.shape[1]) < self.lengths[:, None]


def tokenise_texts(sides: tuple[list[str], ...], tokeniser: Any, max_tokens: int) -> WordPieceRows:
    """Tokenise texts, or the first and second texts of pairs; of a pair, the longer text is truncated first."""
    tokens = tokeniser(*sides, truncation=True, max_length=max_tokens, padding=False, return_attention_mask=False)
    lengths = [len(token_ids) for token_ids in tokens["input_ids"]]
    longest = max(1, *lengths)
    token_type_ids = tokens.get("token_type_ids")
    return WordPieceRows(
        _padded(tokens["input_ids"], longest, tokeniser.pad_token_id or 0),
        None if token_type_ids is None else _padded(token_type_ids, longest, 0),
        torch.tensor(lengths),
    )


def _padded(lists: list[list[int]], longest: int, fill: int) -> Tensor:
    table = np.full((len(lists), longest), fill, dtype=np.int32)
    for row, ids in enumerate(lists):
        table[row, : len(ids)] = ids
    return torch.from_numpy(table)
