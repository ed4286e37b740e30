import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.learning.encoders import scale
from quorate.learning.encoders.scale import PoolScale, unit_scale
from quorate.typing import Array


def table(n_rows: int, n_inputs: int, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, n_inputs)) * rng.exponential(size=n_inputs) + rng.normal(0, 9, n_inputs)


@given(st.integers(2, 100), st.integers(1, 100), st.integers(0, 9))
def test_rows_are_centred_and_of_length_1(n_rows: int, n_inputs: int, seed: int) -> None:
    x = table(n_rows, n_inputs, seed)
    features = PoolScale.fit(x).apply(x)
    assert features.shape == (n_rows, min(64, n_inputs, n_rows - 1))
    np.testing.assert_allclose(features.mean(axis=0), 0, atol=1e-9)
    assert np.square(features).sum(axis=1).mean() == pytest.approx(1)


@pytest.mark.parametrize(("n_rows", "n_inputs"), [(200, 100), (90, 150)])
def test_columns_are_the_principal_components(n_rows: int, n_inputs: int) -> None:
    x = table(n_rows, n_inputs)
    features = PoolScale.fit(x).apply(x)
    u, lengths, _ = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    expected = (u * lengths)[:, :64]
    expected /= np.sqrt(np.square(expected).sum(axis=1).mean())
    np.testing.assert_allclose(np.abs(features), np.abs(expected), atol=1e-8)


def test_units_of_the_whole_table_do_not_matter() -> None:
    x = table(40, 9)
    np.testing.assert_allclose(PoolScale.fit(1000 * x + 5).apply(1000 * x + 5), PoolScale.fit(x).apply(x), atol=1e-8)


def test_distances_stay_the_same_where_no_column_is_left_out() -> None:
    x = table(40, 9)
    features = PoolScale.fit(x).apply(x)
    ratio = np.linalg.norm(features[1:] - features[0], axis=1) / np.linalg.norm(x[1:] - x[0], axis=1)
    np.testing.assert_allclose(ratio, ratio[0])


def test_new_items_are_brought_to_the_scale_of_the_pool() -> None:
    x = table(40, 9)
    scale_of_pool = PoolScale.fit(x)
    np.testing.assert_allclose(scale_of_pool.apply(x[5:7]), scale_of_pool.apply(x)[5:7])
    np.testing.assert_allclose(scale_of_pool.apply(x.mean(axis=0, keepdims=True)), 0, atol=1e-9)
    assert scale_of_pool.apply(x[:0]).shape == (0, 9)


def test_equal_items_have_no_features() -> None:
    x = np.ones((5, 3))
    assert np.array_equal(PoolScale.fit(x).apply(x), np.zeros((5, 3)))
    assert PoolScale.fit(x[:1]).apply(x[:1]).tolist() == [[0]]


def test_directions_of_a_large_pool_are_those_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "MAX_ROWS", 50)
    monkeypatch.setattr(scale, "CHUNK", 30)
    x = table(400, 5).astype(np.float16)
    features = PoolScale.fit(x).apply(x)
    np.testing.assert_allclose(features.mean(axis=0), 0, atol=1e-9)
    assert np.square(features).sum(axis=1).mean() == pytest.approx(1)


def test_unit_scale_centres_and_divides_by_one_number() -> None:
    table = np.random.default_rng(0).normal(size=(60, 5)) * [1, 10, 100, 0, 3] + 40
    rows = unit_scale(table)
    np.testing.assert_allclose(rows.mean(axis=0), 0, atol=1e-12)
    assert np.square(rows).sum(axis=1).mean() == pytest.approx(1)
    np.testing.assert_allclose(rows[:, 2] / rows[:, 1], (table - table.mean(0))[:, 2] / (table - table.mean(0))[:, 1])
    assert not unit_scale(np.full((60, 2), 0.1)).any()  # all items are the same
