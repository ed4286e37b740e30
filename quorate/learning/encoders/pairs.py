"""Features of pairs of texts: how alike the two are, in what they agree, and in what they differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.learning.encoders.terms import TERMS, overlaps, term_weights
from quorate.learning.tuning import TUNING
from quorate.typing import Array

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class PairFeatures:
    """Three blocks of features of pairs, each with a fixed share of the variance of a pool.

    With u and v, the embeddings of the two texts scaled to length 1, these are similarities (the cosine of u and v, and
    the overlaps of their words and letters), u * v, and |u - v|. Without the shares, principal components would
    describe what pairs are about, and not whether their texts are alike.

    Attributes:
        term_weights: weights of words and of groups of letters, as for tf-idf.
        means: mean row of each block in the pool.
        factors: what each block is multiplied by: a number per similarity, and one for each of the other blocks.
    """

    term_weights: tuple[Array, ...]
    means: tuple[Array, ...]
    factors: tuple[Any, ...]

    @classmethod
    def fit(cls, pairs: Pairs, first: Any, second: Any) -> Self:
        """Return the features of a pool of pairs; first, second: embeddings of their texts, (n_pairs, size)."""
        texts = [text for pair in pairs for text in pair]
        weights = tuple(term_weights(texts, kind) for kind in TERMS)
        blocks = _blocks(weights, pairs, first, second)
        variances = [block.var(axis=0, dtype=np.float64) for block in blocks]
        n_similarities = max(1, np.count_nonzero(variances[0] > 1e-12))
        totals = [variances[0] * n_similarities, *(variance.sum() for variance in variances[1:])]
        factors = (
            np.sqrt(np.where(total > 1e-12, share / np.maximum(total, 1e-12), 0))
            for share, total in zip(TUNING.pair_shares, totals, strict=True)
        )
        return cls(weights, tuple(block.mean(axis=0, dtype=np.float64) for block in blocks), tuple(factors))

    def apply(self, pairs: Pairs, first: Any, second: Any) -> NDArray[np.float32]:
        """Return the features of pairs: (n_pairs, 5 + 2 size)."""
        blocks = _blocks(self.term_weights, pairs, first, second)
        scaled = [(block - mean) * by for block, mean, by in zip(blocks, self.means, self.factors, strict=True)]
        return np.concatenate(scaled, axis=1, dtype=np.float32)


def _blocks(term_weights: tuple[Array, ...], pairs: Pairs, first: Any, second: Any) -> tuple[Array, ...]:
    u, v = (_unit_rows(np.asarray(side, dtype=np.float64)) for side in (first, second))
    products = u * v
    columns = [products.sum(axis=1)]
    for kind, weights in zip(TERMS, term_weights, strict=True):
        columns += overlaps(pairs, kind, weights)
    return np.stack(columns, axis=1), products, np.abs(u - v)


def _unit_rows(rows: Array) -> Array:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(length > 0, length, 1)
