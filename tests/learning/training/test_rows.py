import numpy as np
import pytest
import torch
from scipy import sparse

from quorate.learning.training.rows import (
    Dense,
    DenseRows,
    SeveralRows,
    SparseBatch,
    SparseRows,
    TokenRows,
    number_rows,
)

MATRIX = np.array([[0, 2, 0, 1], [0, 0, 0, 0], [3, 0, 0, 0], [0, 0, 4, 5]], dtype=np.float32)


@pytest.mark.parametrize("chosen", [[0, 1, 2, 3], [3, 1], [1], [1, 1], [2, 0, 0]])
def test_sparse_rows_give_what_dense_rows_give(chosen: list[int]) -> None:
    """Empty rows too, at any place."""
    torch.manual_seed(0)
    layer = Dense(4, 3)
    rows = torch.tensor(chosen)
    few, many = number_rows(sparse.csr_array(MATRIX)), number_rows(MATRIX)
    other, share = rows.flip(0), torch.linspace(0.1, 0.9, len(rows))
    for asked in ((rows,), (rows, other, share)):
        outputs = [layer(matrix_rows.take(*asked)) for matrix_rows in (few, many)]
        assert torch.allclose(outputs[0], outputs[1], atol=1e-6)
        slopes = [torch.autograd.grad(output.square().sum(), layer.weight)[0] for output in outputs]
        assert torch.allclose(slopes[0], slopes[1], atol=1e-4)


def test_sparse_rows_stay_sparse() -> None:
    """Take 64 rows with three entries each out of a million columns: they hold 192 numbers."""
    matrix = sparse.random_array((1000, 1_000_000), density=3e-6, format="csr", dtype=np.float32, rng=0)
    taken = SparseRows(matrix).take(torch.arange(64), torch.arange(64, 128), torch.full((64,), 0.5))
    assert isinstance(taken, SparseBatch)
    assert len(taken) == 64
    assert len(taken.values) == len(taken.columns) == matrix[:128].nnz


def test_tokens_cannot_be_mixed_and_several_kinds_go_side_by_side() -> None:
    tokens, values = TokenRows(torch.arange(6).reshape(3, 2)), DenseRows(torch.arange(3.0)[:, None])
    rows = SeveralRows((tokens, values))
    assert [part.tolist() for part in rows.take(torch.tensor([2, 0]))] == [[[4, 5], [0, 1]], [[2.0], [0.0]]]
    assert len(rows) == 3
    with pytest.raises(ValueError, match="mixup"):
        rows.take(torch.tensor([0]), torch.tensor([1]), torch.tensor([0.5]))
