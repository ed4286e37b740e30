from pathlib import Path

import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.io.items import Items
from quorate.learning.encoders import find
from quorate.learning.features import encoder_of, feature_table, fit_features

TASKS = np.arange(60)


def items_of(kind: str, seed: int = 1) -> Items:
    """Return items of two sorts in turn: with words of one list or another, or darker and lighter images."""
    rng = np.random.default_rng(seed)
    if kind == "images":
        return Items(
            tasks=TASKS, kind="features", x=rng.uniform(0, 0.5, (60, 3, 20, 20)) + (TASKS % 2 / 2)[:, None, None, None]
        )
    words = (["a", "fine", "film"], ["very", "dull", "book"])
    texts = [" ".join(rng.choice(words[row % 2], 5)) for row in range(60)]
    if kind == "texts":
        return Items(tasks=TASKS, kind="texts", x=texts)
    return Items(tasks=TASKS, kind="pairs", x=[(text, texts[row + row % 2 - 1]) for row, text in enumerate(texts)])


def separates(features: np.ndarray) -> bool:
    """Return whether every item is nearest to the mean of its own sort."""
    middle = np.array([features[side::2].mean(axis=0) for side in (0, 1)])
    return np.linalg.norm(features[:, None] - middle, axis=2).argmin(axis=1).tolist() == [0, 1] * 30


def test_columns_of_features_count_alike() -> None:
    table = np.random.default_rng(0).normal(size=(60, 3)) * [1, 100, 0] + [0, 7, 4]
    seen = feature_table(Items(tasks=TASKS, kind="features", x=table))
    other = feature_table(Items(tasks=TASKS, kind="features", x=table * [1, 0.01, 1]))
    np.testing.assert_allclose(seen @ seen.T, other @ other.T, atol=1e-9)
    np.testing.assert_allclose(seen.mean(axis=0), 0, atol=1e-12)
    assert np.square(seen).sum(axis=1).mean() == pytest.approx(1)


def test_many_columns_become_few() -> None:
    wide = np.random.default_rng(0).normal(size=(60, 200))
    assert feature_table(Items(tasks=TASKS, kind="features", x=wide)).shape == (60, 59)


@pytest.mark.parametrize("kind", ["texts", "images"])
def test_words_and_pixels_serve_without_an_encoder(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "find_spec", lambda name: None)
    items = items_of(kind)
    fitted, seen = fit_features(items)
    assert fitted.description.endswith("without an encoder")
    assert encoder_of(items) is None
    assert separates(seen)
    np.testing.assert_allclose(fitted.transform(items), seen, atol=1e-9)


def test_pairs_differ_in_how_alike_their_texts_are() -> None:
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice([f"word{number}" for number in range(40)], 4)) for _ in range(60)]
    pairs = [(text, text if row % 2 else texts[row - 1]) for row, text in enumerate(texts)]
    assert separates(feature_table(Items(tasks=TASKS, kind="pairs", x=pairs), "none"))


@pytest.mark.parametrize("kind", ["texts", "pairs"])
def test_an_encoder_is_named_by_its_folder(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.learning.encoders.tiny_bert import make_bert

    folder = str(make_bert(tmp_path / "mine"))
    items = items_of(kind)
    fitted, seen = fit_features(items, folder)
    assert fitted.description == "mine, which reads the first 16 tokens"
    assert seen.shape[0] == 60
    assert np.square(seen).sum(axis=1).mean() == pytest.approx(1)
    new = Items(tasks=TASKS[:3], kind=items.kind, x=items.x[7:10])
    np.testing.assert_allclose(fitted.transform(new), seen[7:10], atol=1e-6)


def test_files_of_images(tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    paths = [tmp_path / f"{row}.png" for row in range(6)]
    for row, path in enumerate(paths):
        pillow.new("RGB", (30, 20), (row * 10 + 100 * (row % 2), 0, 0)).save(path)
    seen = feature_table(Items(tasks=TASKS[:6], kind="images", x=paths), "none")
    red = np.array([0, 110, 20, 130, 40, 150]) / 255
    np.testing.assert_allclose(np.abs(seen[:, 0]), np.abs(red - red.mean()) / red.std(), rtol=1e-6)


def test_others_are_refused() -> None:
    with pytest.raises(MethodError, match="the items are words in texts, but a classifier"):
        feature_table(Items(tasks=TASKS[:1], kind="words in texts", x=[("a text", 1)]))
    with pytest.raises(MethodError, match="the items are features, but a classifier"):
        feature_table(Items(tasks=TASKS[:1], kind="features", x=np.zeros((1, 2, 3))))
