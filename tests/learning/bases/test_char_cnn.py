import numpy as np
import polars as pl
import pytest
import torch

from quorate.errors import MethodError
from quorate.io import datasets
from quorate.learning.bases.char_cnn import CharCnn, Tower
from tests.learning.bases.bases import features, fitted, learns_and_repeats, n_weights, refuses

SMALL = CharCnn(embedding=6, channels=(8, 8), windows=(2, 3), heads=2)
PAIRS = [("dogs", "dog"), ("cats", "cat"), ("rows", "row"), ("dogs", "do"), ("cats", "ca"), ("rows", "ro")]


def test_it_learns_pairs_and_is_reproducible() -> None:
    learns_and_repeats(SMALL, PAIRS, [1, 1, 1, 0, 0, 0], epochs=25, lr=0.02)


def test_it_learns_single_words_and_is_reproducible() -> None:
    learns_and_repeats(SMALL, ["dogs", "cats", "rows", "dog", "cat", "row"], [1, 1, 1, 0, 0, 0], epochs=25, lr=0.02)


def test_unseen_characters_and_empty_words_are_predicted() -> None:
    probs = fitted(SMALL, PAIRS, [1, 1, 1, 0, 0, 0]).predict_proba([("żółw", "żó"), ("", ""), ("a" * 500, "")])
    assert np.isfinite(probs).all()


@pytest.mark.parametrize("n_parts", [1, 2])
def test_features_of_a_word_do_not_depend_on_its_batch(n_parts: int) -> None:
    pairs = [("run", "running" * 3), ("a", ""), ("x" * 30, "y" * 50)]
    x = [first for first, _ in pairs] if n_parts == 1 else pairs
    spec = SMALL.learn(x)
    together = features(SMALL, x, spec)
    assert together.shape == (3, 16 * n_parts)
    for row in range(3):
        assert np.allclose(together[row], features(SMALL, x[row : row + 1], spec)[0], atol=1e-5)


def test_each_text_of_a_pair_attends_to_the_other() -> None:
    spec = SMALL.learn(PAIRS)
    first, second = (features(SMALL, [("dogs", stem)], spec)[0] for stem in ("dog", "cat"))
    assert not np.allclose(first[:16], second[:16])  # the word's features
    first, second = (features(SMALL, [(word, "dog")], spec)[0] for word in ("dogs", "cats"))
    assert not np.allclose(first[16:], second[16:])  # the stem's


def test_a_tower_worked_by_hand() -> None:
    tower = Tower(1, (1,), window=2)
    layer = tower.layers[0]
    assert isinstance(layer, torch.nn.Conv1d)
    torch.nn.init.ones_(layer.weight)
    torch.nn.init.zeros_(layer.bias)  # type: ignore[arg-type]
    # sums of neighbours, 3 5 3 (0: masked), then the maximum of every two
    maps, mask = tower(torch.tensor([[[1.0, 2.0, 3.0, 0.0]]]), torch.tensor([[[1.0, 1.0, 1.0, 0.0]]]))
    assert maps.tolist() == [[[5.0, 3.0]]]
    assert mask.tolist() == [[[1.0, 1.0]]]


def test_weights_counted_by_hand() -> None:
    spec = {"n_parts": 2, "characters": list("abc")}
    towers = sum((6 * window + 1) * 8 + (8 * window + 1) * 8 for window in (2, 3))
    attention = 4 * (16 * 16 + 16)
    assert n_weights(SMALL, spec) == 5 * 6 + towers + 2 * attention


def test_bad_input_and_options_are_rejected() -> None:
    refuses(SMALL, [], "an empty list")
    refuses(SMALL, ["word"], "fitted to pairs of texts", SMALL.learn(PAIRS))
    with pytest.raises(MethodError, match="heads must divide the number of features, 384, got 5"):
        CharCnn(heads=5)
    with pytest.raises(MethodError, match="windows must list at least one layer size"):
        CharCnn(windows=())


@pytest.mark.needs_data
def test_stems_are_learnt() -> None:
    data = datasets.load("stemming_jamison")
    chosen = np.random.default_rng(0).permutation(len(data.tasks))[:1500]
    items = data.items[chosen].select(pl.col("text", "text2").cast(pl.String).fill_null(""))
    x, gold = items.rows(), data.gold[chosen]
    base = CharCnn(embedding=16, channels=(16, 32), windows=(3, 4), dropout=0.1)
    correct = fitted(base, x[:1000], gold[:1000], epochs=3, lr=3e-3).predict_proba(x[1000:])[:, 1]
    assert correct[gold[1000:] == 1].mean() > correct[gold[1000:] == 0].mean() + 0.05
