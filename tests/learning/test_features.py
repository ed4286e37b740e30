import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.io.items import Items
from quorate.learning.features import feature_table, unit_scale
from quorate.learning.tuning import TUNING

TASKS = np.arange(60)


def test_features_are_brought_to_one_scale() -> None:
    table = np.random.default_rng(0).normal(size=(60, 3)) * [1, 100, 0] + [0, 7, 4]
    seen = feature_table(Items(tasks=TASKS, kind="features", x=table))
    np.testing.assert_allclose(seen.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(seen.std(axis=0), [1, 1, 0])


def test_many_columns_become_few() -> None:
    wide = np.random.default_rng(0).normal(size=(60, 200))
    seen = feature_table(Items(tasks=TASKS, kind="features", x=wide))
    assert seen.shape == (60, 59)
    assert seen.std() == pytest.approx(1)
    assert TUNING.max_columns > 59


def test_the_mean_squared_length_of_a_row_is_one() -> None:
    table = np.random.default_rng(0).normal(size=(60, 5)) * [1, 10, 100, 0, 3] + 40
    rows = unit_scale(table)
    np.testing.assert_allclose(rows.mean(axis=0), 0, atol=1e-12)
    assert np.square(rows).sum(axis=1).mean() == pytest.approx(1)
    np.testing.assert_allclose(rows[:, 2] / rows[:, 1], (table - table.mean(0))[:, 2] / (table - table.mean(0))[:, 1])
    assert not unit_scale(np.full((60, 2), 0.1)).any()  # all items are the same


@pytest.mark.parametrize("pairs", [False, True])
def test_texts_of_two_kinds_are_separated(pairs: bool) -> None:
    rng = np.random.default_rng(1)
    words = (["ant", "bee", "fly"], ["car", "bus", "van"])
    texts = [" ".join(rng.choice(words[row % 2], 5)) for row in range(60)]
    x = [(text[:9], text[9:]) for text in texts] if pairs else texts
    seen = feature_table(Items(tasks=TASKS, kind="pairs" if pairs else "texts", x=x))
    middle = np.array([seen[side::2].mean(axis=0) for side in (0, 1)])
    nearest = np.linalg.norm(seen[:, None] - middle, axis=2).argmin(axis=1)
    assert nearest.tolist() == [0, 1] * 30


def test_others_are_refused() -> None:
    with pytest.raises(MethodError, match="the items are images"):
        feature_table(Items(tasks=TASKS[:1], kind="images", x=["a.png"]))
    with pytest.raises(MethodError, match="nothing can be learnt"):
        feature_table(Items(tasks=TASKS, kind="texts", x=[f"w{row}" for row in range(60)]))
