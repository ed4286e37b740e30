import numpy as np
import pytest
import torch
from scipy import sparse

from quorate.errors import MethodError
from quorate.learning.bases.char_cnn import CharCnn
from quorate.learning.bases.lstm import Lstm
from quorate.learning.bases.text_and_features import TextAndFeatures
from tests.learning.bases.bases import features, fitted, learns_and_repeats, n_weights, refuses

TEXT = Lstm(embedding=4, hidden=3, min_count=1)
TEXTS = ["good", "good", "bad", "bad"] * 3
NUMBERS = np.array([[1.0, 5.0], [3.0, 5.0]] * 6)
LABELS = [0, 1, 2, 3] * 3  # needs the text and the features


def test_it_learns_from_both_and_is_reproducible() -> None:
    base = TextAndFeatures(text=TEXT, sizes=(8,), dropout=0.01)
    learns_and_repeats(base, (TEXTS, NUMBERS), LABELS, epochs=60)


def test_standardised_features_are_concatenated_with_those_of_the_text() -> None:
    base = TextAndFeatures(text=TEXT)
    x = (TEXTS, NUMBERS)
    spec = base.learn(x)
    both = features(base, x, spec)
    assert both.shape == (12, 6 + 2)
    assert np.allclose(both[:, :6], features(TEXT, TEXTS, TEXT.learn(TEXTS)), atol=1e-6)
    assert both[:2, 6:].tolist() == [[-1.0, 0.0], [1.0, 0.0]]
    assert n_weights(base, spec) == n_weights(TEXT, spec["text"])


def test_any_base_for_texts_can_be_used() -> None:
    pairs = [("dogs", "dog"), ("cats", "cat"), ("dogs", "do"), ("cats", "ca")]
    base = TextAndFeatures(text=CharCnn(channels=(8,), windows=(3,), heads=1))
    network = fitted(base, (pairs, np.eye(4)), [1, 1, 0, 0])
    assert network.predict_proba((pairs[:1], np.eye(4)[:1])).shape == (1, 2)


def test_bad_input_and_options_are_rejected() -> None:
    base = TextAndFeatures(text=TEXT)
    spec = base.learn((TEXTS, NUMBERS))
    refuses(base, TEXTS, r"a tuple \(texts, features\), got list")
    refuses(base, (TEXTS, NUMBERS[:3]), "x has 12 texts, but 3 rows of features")
    refuses(base, (TEXTS, sparse.csr_array(NUMBERS)), "must be dense")
    refuses(base, (TEXTS, NUMBERS * np.nan), "NaN or infinity")
    refuses(base, (["a"], [[1.0]]), "x has 1 features, but the classifier was fitted to 2", spec)
    refuses(base, ([3], [[1.0, 2.0]]), "x must hold texts", spec)
    with pytest.raises(MethodError, match="sizes must list at least one layer size"):
        TextAndFeatures(sizes=(0,))


def test_rows_hold_a_text_and_a_row_of_numbers() -> None:
    base = TextAndFeatures(text=TEXT)
    x = (TEXTS, NUMBERS)
    tokens, numbers = base.rows(x, base.learn(x)).take(torch.tensor([0, 2]))
    assert tokens.shape == (2, 1)
    assert numbers.shape == (2, 2)
