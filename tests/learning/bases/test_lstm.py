import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.learning.bases.lstm import Lstm
from tests.learning.bases.bases import features, fitted, learns_and_repeats, n_weights, refuses

GOOD = ["a fine film", "fine , and fun !", "what fun", "so fine"]
BAD = ["a dull film", "dull , and slow !", "what slow", "so dull"]
TEXTS, LABELS = GOOD + BAD, [1] * 4 + [0] * 4
SMALL = Lstm(embedding=8, hidden=6)


def test_it_learns_words_and_is_reproducible() -> None:
    learns_and_repeats(Lstm(embedding=8, hidden=6, dropout=0.1), TEXTS, LABELS, epochs=30)


def test_unknown_words_and_empty_texts_are_predicted() -> None:
    network = fitted(SMALL, TEXTS, LABELS, epochs=30)
    probs = network.predict_proba(["a most FINE film", "", "unheard of", "a dull\u2026 film"])
    assert probs.argmax(axis=1)[[0, 3]].tolist() == [1, 0]
    assert np.isfinite(probs).all()


@pytest.mark.parametrize("base", [SMALL, Lstm(pooling="mean", hidden=5, layers=2, both_ways=False)])
def test_features_of_a_text_do_not_depend_on_its_batch(base: Lstm) -> None:
    spec = base.learn(TEXTS)
    together = features(base, ["so fine", "a dull film , and slow and dull and slow", ""], spec)
    assert together.shape == (3, base.build(spec).size)
    assert np.allclose(together[:1], features(base, ["so fine"], spec), atol=1e-6)


def test_weights_counted_by_hand() -> None:
    spec = {"words": ["fine", "dull"]}
    # 4 gates, each for inputs, state and two biases, in two directions; four tokens with unknown and padding
    assert n_weights(SMALL, spec) == 4 * 8 + 2 * 4 * 6 * (8 + 6 + 2)


def test_the_vocabulary_is_that_of_training() -> None:
    assert SMALL.learn(TEXTS)["words"][:2] == ["dull", "fine"]
    assert "unique" not in SMALL.learn([*TEXTS, "unique"])["words"]
    assert Lstm(most_words=1).learn(TEXTS) == {"words": ["dull"]}


def test_bad_input_and_options_are_rejected() -> None:
    refuses(SMALL, [], "an empty list")
    refuses(SMALL, ["a", 3], r"got 3 \(row 2\)", SMALL.learn(TEXTS))
    with pytest.raises(MethodError, match="pooling must be one of max, mean, got 'last'"):
        Lstm(pooling="last")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="hidden must be at least 1, got 0"):
        Lstm(hidden=0)
