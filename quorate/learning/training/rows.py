"""Items in the form that a network takes: rows as tensors, single or mixed."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from quorate.errors import MethodError


class Rows(Protocol):
    """Items, one per row."""

    def __len__(self) -> int: ...

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> Any:
        """Return these rows; with `other`, share * rows + (1 - share) * other, row by row, for mixup."""
        ...


@dataclass(frozen=True, eq=False)
class DenseRows:
    """Dense numbers: features, or images as (n, channels, height, width)."""

    values: Tensor

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> Tensor:
        """See Rows."""
        taken = self.values[rows]
        if other is None or share is None:
            return taken
        share = share.reshape(-1, *[1] * (taken.ndim - 1))
        return share * taken + (1 - share) * self.values[other]


@dataclass(frozen=True, eq=False)
class SparseBatch:
    """Rows of a sparse matrix: columns and values of all entries, row after row, and where each row begins."""

    columns: Tensor
    values: Tensor
    start: Tensor

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A sparse matrix, which stays sparse."""

    matrix: Any  # scipy.sparse.csr_array of float32

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> SparseBatch:
        """See Rows."""
        part = self.matrix[rows.numpy()]
        if other is not None and share is not None:
            part = _scale_rows(share, part) + _scale_rows(1 - share, self.matrix[other.numpy()])
        columns, start = part.indices.astype(np.int64), part.indptr[:-1].astype(np.int64)
        return SparseBatch(torch.from_numpy(columns), torch.from_numpy(part.data), torch.from_numpy(start))


def _scale_rows(share: Tensor, part: Any) -> Any:
    """Multiply each row of a sparse matrix by its share."""
    return sparse.diags_array(share.numpy().astype(np.float32), format="csr") @ part


@dataclass(frozen=True, eq=False)
class TokenRows:
    """Whole numbers, such as the tokens of a text, which cannot be mixed."""

    tokens: Tensor

    def __len__(self) -> int:
        return len(self.tokens)

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> Tensor:
        """See Rows."""
        if other is not None:
            raise MethodError("mixup needs numeric items, and texts cannot be mixed: leave mixup at 0")
        return self.tokens[rows]


@dataclass(frozen=True, eq=False)
class SeveralRows:
    """Several kinds of input for each item, such as a text and a feature vector."""

    parts: tuple[Rows, ...]

    def __len__(self) -> int:
        return len(self.parts[0])

    def take(self, rows: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> tuple[Any, ...]:
        """See Rows."""
        return tuple(part.take(rows, other, share) for part in self.parts)


class Dense(torch.nn.Linear):
    """A linear layer that also takes sparse rows."""

    def forward(self, features: Tensor | SparseBatch) -> Tensor:
        """Return the scores: (n, out_features)."""
        if isinstance(features, Tensor):
            return super().forward(features)
        summed = torch.nn.functional.embedding_bag(
            features.columns, self.weight.T, features.start, mode="sum", per_sample_weights=features.values
        )
        return summed + self.bias


def number_rows(x: Any) -> Rows:
    """Return the rows of a checked matrix (see `_inputs.matrix`)."""
    if sparse.issparse(x):
        return SparseRows(x)
    return DenseRows(torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32)))
