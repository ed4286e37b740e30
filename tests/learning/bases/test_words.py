import torch

from quorate.learning.bases._words import encode, tokenise, trimmed, vocabulary


def test_words_are_lower_case_and_signs_stand_alone() -> None:
    assert tokenise("I WON\u2019T go... \n Straße 3.5") == ["i", "won't", "go", ".", ".", ".", "straße", "3", ".", "5"]
    assert tokenise(" \t") == []


def test_a_vocabulary_has_the_commonest_words_and_ties_by_the_alphabet() -> None:
    texts = [["b", "a", "c"], ["c", "b", "d"], ["c"]]
    assert vocabulary(texts, min_count=1, most=3) == ["c", "b", "a"]
    assert vocabulary(texts, min_count=2, most=3) == ["c", "b"]
    assert vocabulary([], min_count=1, most=3) == []


def test_long_texts_are_cut() -> None:
    assert encode(["abc", "a"], ["a", "b"], most=2).tolist() == [[2, 3], [2, 0]]
    assert encode(["", ""], ["a"], most=2).tolist() == [[0], [0]]


def test_a_batch_is_trimmed_to_its_longest() -> None:
    tokens, there = trimmed(torch.tensor([[2, 3, 0, 0], [0, 0, 0, 0]]))
    assert tokens.tolist() == [[2, 3], [0, 0]]
    assert there.tolist() == [[True, True], [True, False]]
