import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.io import datasets
from quorate.io.images import read_images
from quorate.learning.bases.small_cnn import SmallCnn
from tests.learning.bases.bases import features, fitted, learns_and_repeats, n_weights


def bars(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw noisy images of 8 x 8 with a bar: horizontal in class 0, vertical in class 1."""
    rng = np.random.default_rng(seed)
    images, labels = rng.integers(0, 100, (n, 3, 8, 8), dtype=np.uint8), np.arange(n) % 2
    for image, label, position in zip(images, labels, rng.integers(8, size=n), strict=True):
        image[(slice(None), position) if label == 0 else (slice(None), slice(None), position)] = 250
    return images, labels


def test_it_distinguishes_the_two_kinds_of_bars() -> None:
    images, labels = bars(64)
    learns_and_repeats(SmallCnn(channels=(8, 16)), images, labels, epochs=15)
    more, gold = bars(64, seed=1)
    network = fitted(SmallCnn(channels=(8, 16)), images, labels, epochs=15)
    assert (network.predict_proba(more).argmax(axis=1) == gold).mean() > 0.95


def test_weights_counted_by_hand() -> None:
    spec = SmallCnn().learn(bars(2)[0])
    # each block: 9 per pair of channels, and two per channel for batch norm
    assert n_weights(SmallCnn(channels=(4, 5)), spec) == 9 * 3 * 4 + 8 + 9 * 4 * 5 + 10


def test_images_may_be_smaller_than_the_poolings_ask_for() -> None:
    images = bars(3)[0][:, :, :5, :1]
    base = SmallCnn(channels=(4, 4, 4, 4))
    assert features(base, images, base.learn(images)).shape == (3, 4)


def test_bad_options_are_rejected() -> None:
    with pytest.raises(MethodError, match="channels must list at least one layer size"):
        SmallCnn(channels=())
    with pytest.raises(MethodError, match="dropout must be at least 0 and below 1, got 1"):
        SmallCnn(dropout=1)


@pytest.mark.needs_data
def test_labelme_is_learnt_better_than_by_chance() -> None:
    data = datasets.load("labelme")
    folder = datasets._root() / "labelme"
    train, test = data.rows("train"), data.rows("test")[::4]
    train_x, test_x = (read_images([folder / file for file in data.items["file"][rows]], 32) for rows in (train, test))
    network = fitted(SmallCnn(channels=(16, 32)), train_x, data.gold[train], epochs=3, lr=3e-3)
    right = (network.predict_proba(test_x).argmax(axis=1) == data.gold[test]).mean()
    assert right > 0.35  # the commonest class has .15
