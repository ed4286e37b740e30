from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import torch

from quorate.errors import MethodError
from quorate.io import datasets
from quorate.learning.bases.char_word_rnn import CharWordRnn
from tests.learning.bases.bases import features, fitted, learns_and_repeats, n_weights, refuses

SMALL = CharWordRnn(embedding=6, char_embedding=4, hidden=5, char_hidden=3, heads=2, dropout=0.0, min_count=1)
# "duck" is a noun (0) after "the", and a verb (1) after "they"
TEXTS = ["the duck swam", "they duck now", "see the duck", "how they duck"]
X = [(TEXTS[0], 1), (TEXTS[1], 1), (TEXTS[2], 2), (TEXTS[3], 2)]


def test_it_learns_a_word_by_its_context_and_is_reproducible() -> None:
    learns_and_repeats(SMALL, X, [0, 1, 0, 1], epochs=25, lr=0.03)


def test_it_learns_a_word_by_its_spelling() -> None:
    words = ["running", "walking", "eating", "going", "table", "chair", "house", "dog"]
    base = replace(SMALL, min_count=2)  # so that the vocabulary is empty
    network = fitted(base, [(word, 0) for word in words], [0] * 4 + [1] * 4, epochs=60)
    assert network.predict_proba([("talking", 0), ("mouse", 0)]).argmax(axis=1).tolist() == [0, 1]


def test_rows_hold_the_nearby_words_the_position_and_the_characters() -> None:
    base = CharWordRnn(around=1, min_count=1)
    spec = {"words": ["a", "b", "c"], "characters": ["x", "Y"]}
    words, positions, characters = base.rows([("z A b c", 2), ("xYq b", 0)], spec).take(torch.tensor([0, 1]))
    assert words.tolist() == [[2, 3, 4], [1, 3, 0]]
    assert positions.tolist() == [1, 0]
    assert characters.tolist() == [[1, 0, 0], [2, 3, 1]]


def test_a_text_may_be_a_list_of_words() -> None:
    spec = {"words": ["a", "b"], "characters": ["a", "b"]}
    words, positions, _ = SMALL.rows([("a b", 1), (["a", "a b", "b"], 2)], spec).take(torch.tensor([0, 1]))
    assert words.tolist() == [[2, 3, 0], [2, 1, 3]]
    assert positions.tolist() == [1, 2]


def test_a_text_counts_once_in_the_vocabulary() -> None:
    x = [("one two", 0), ("one two", 1), ("two", 0)]
    assert CharWordRnn(min_count=2).learn(x)["words"] == ["two"]
    assert CharWordRnn(min_count=1).learn([("B b a", 0)]) == {"words": ["b", "a"], "characters": ["B", "a", "b"]}


def test_features_do_not_depend_on_the_batch() -> None:
    spec = SMALL.learn(X)
    x = [("the duck", 1), ("they " * 80 + "extraordinarily", 80), ("unheard", 0)]
    together = features(SMALL, x, spec)
    assert together.shape == (3, 32)
    for row in range(3):
        assert np.allclose(together[row], features(SMALL, x[row : row + 1], spec)[0], atol=1e-6)


def test_weights_counted_by_hand() -> None:
    spec = {"words": ["a"], "characters": ["a", "b"]}
    context, spelling = 2 * 4 * 5 * (6 + 5 + 2), 2 * 4 * 3 * (4 + 3 + 2)
    attention = 2 * (16 * 16) + 2 * (16 * 10) + 4 * 16
    assert n_weights(SMALL, spec) == 3 * 6 + 4 * 4 + context + spelling + attention


def test_bad_input_and_options_are_rejected() -> None:
    refuses(SMALL, [], "an empty list")
    refuses(SMALL, ["the duck"], r"\(text, position\) pairs \(row 1\)")
    refuses(SMALL, [("the duck", "duck")], r"position must be a word's index, from 0, got 'duck' \(row 1\)")
    refuses(SMALL, [*X, ("the duck", 2)], r"position 2 is outside a text of 2 words \(row 5\)")
    refuses(SMALL, [("", 0)], "position 0 is outside a text of 0 words", SMALL.learn(X))
    refuses(SMALL, [("a", True)], "position must be")
    refuses(SMALL, [(["a", None], 0)], r"\(text, position\) pairs \(row 1\)")
    with pytest.raises(MethodError, match="heads must divide the number of features, 300, got 7"):
        CharWordRnn(heads=7)


def tagged_words(data: datasets.Dataset) -> list[tuple[list[str], int]]:
    """Return each token in its tweet, with positions renumbered from 0. Some tokens contain a blank."""
    tokens = data.items.select(
        pl.col("token").cast(pl.String).implode().over("tweet", order_by="position").alias("text"),
        (pl.col("position").rank("ordinal").over("tweet") - 1).alias("position"),
    )
    return tokens.rows()


@pytest.mark.needs_data
def test_tags_of_tweets_are_learnt() -> None:
    data = datasets.load("gimpel_pos")
    x = tagged_words(data)
    train, test = data.rows("train")[:1200], data.rows("test")[:600]
    base = CharWordRnn(embedding=24, char_embedding=16, hidden=24, char_hidden=24)
    network = fitted(base, [x[row] for row in train], data.gold[train], epochs=4, lr=0.02)
    accuracy = (network.predict_proba([x[row] for row in test]).argmax(axis=1) == data.gold[test]).mean()
    assert accuracy > 0.5  # the most frequent tag has a share of .27
