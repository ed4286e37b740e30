"""Texts as a transformer takes them: pieces of words, cut by the tokeniser that belongs to it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quorate.errors import MethodError


@dataclass(frozen=True, eq=False)
class PieceRows:
    """The pieces of texts, or of pairs of texts: they cannot be mixed.

    pieces: (n, longest). second: (n, longest), 1 for those of a pair's second text; None where the network has no use
    for it. lengths: (n,).
    """

    pieces: Tensor
    second: Tensor | None
    lengths: Tensor

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> "PieceRows":
        """See Rows; trimmed to the longest of these rows."""
        if other is not None:
            raise MethodError("mixup needs items made of numbers: leave mixup at 0, or train='none' for the texts")
        lengths = self.lengths[rows]
        longest = max(1, int(lengths.max())) if len(rows) else 1
        second = None if self.second is None else self.second[rows, :longest]
        return PieceRows(self.pieces[rows, :longest], second, lengths)

    @property
    def there(self) -> Tensor:
        """Which pieces are there, (n, longest)."""
        return torch.arange(self.pieces.shape[1]) < self.lengths[:, None]


def cut(sides: tuple[list[str], ...], tokeniser: Any, max_tokens: int) -> PieceRows:
    """Texts, or the first and second texts of pairs, as pieces; of a pair, the longer text is shortened first."""
    found = tokeniser(*sides, truncation=True, max_length=max_tokens, padding=False, return_attention_mask=False)
    lengths = [len(pieces) for pieces in found["input_ids"]]
    longest = max(1, *lengths)
    second = found.get("token_type_ids")
    return PieceRows(
        _filled(found["input_ids"], longest, tokeniser.pad_token_id or 0),
        None if second is None else _filled(second, longest, 0),
        torch.tensor(lengths),
    )


def _filled(lists: list[list[int]], longest: int, fill: int) -> Tensor:
    table = np.full((len(lists), longest), fill, dtype=np.int32)
    for row, numbers in enumerate(lists):
        table[row, : len(numbers)] = numbers
    return torch.from_numpy(table)
