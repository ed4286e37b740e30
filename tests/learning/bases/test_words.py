import torch

from quorate.learning.bases._words import build_vocabulary, encode_tokens, tokenise, trim_padding


def test_words_are_lower_case_and_punctuation_is_split_off() -> None:
    assert tokenise("I WON\u2019T go... \n Straße 3.5") == ["i", "won't", "go", ".", ".", ".", "straße", "3", ".", "5"]
    assert tokenise(" \t") == []


def test_a_vocabulary_has_the_most_frequent_words_and_breaks_ties_alphabetically() -> None:
    texts = [["b", "a", "c"], ["c", "b", "d"], ["c"]]
    assert build_vocabulary(texts, min_count=1, max_size=3) == ["c", "b", "a"]
    assert build_vocabulary(texts, min_count=2, max_size=3) == ["c", "b"]
    assert build_vocabulary([], min_count=1, max_size=3) == []


def test_long_texts_are_truncated() -> None:
    assert encode_tokens(["abc", "a"], ["a", "b"], max_tokens=2).tolist() == [[2, 3], [2, 0]]
    assert encode_tokens(["", ""], ["a"], max_tokens=2).tolist() == [[0], [0]]


def test_a_batch_is_trimmed_to_its_longest() -> None:
    token_ids, mask = trim_padding(torch.tensor([[2, 3, 0, 0], [0, 0, 0, 0]]))
    assert token_ids.tolist() == [[2, 3], [0, 0]]
    assert mask.tolist() == [[True, True], [True, False]]
