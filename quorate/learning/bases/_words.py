"""Words and characters as numbers: 0 is no word, 1 an unknown one, and those of the vocabulary follow."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

FIRST = 2  # the number of the first word of a vocabulary
MOST_CHARACTERS = 5000  # of a vocabulary; enough for every script
WORD = re.compile(r"[@#]?\w+(?:'\w+)*|[^\w\s]")


def tokenise(text: str) -> list[str]:
    """Words in lower case, and each other sign by itself.

    >>> tokenise("Don't stop, @you: #NOW!")
    ["don't", 'stop', ',', '@you', ':', '#now', '!']
    """
    return WORD.findall(text.lower().replace("\u2019", "'"))


def vocabulary(sequences: Iterable[Sequence[str]], min_count: int, most: int) -> list[str]:
    """The commonest words, `most` of them, which come `min_count` times or more; ties in order of the alphabet.

    >>> vocabulary(["abba", "cab"], min_count=2, most=10)
    ['a', 'b']
    """
    counts = Counter(word for sequence in sequences for word in sequence)
    order = sorted(counts, key=lambda word: (-counts[word], word))
    return [word for word in order[:most] if counts[word] >= min_count]


def encode(sequences: Sequence[Sequence[str]], words: list[str], most: int) -> Tensor:
    """The numbers of each sequence's first `most` words, filled up with 0: (n, longest), at least one wide.

    >>> encode([["to", "be"], [], ["to", "go", "to"]], ["be", "to"], most=5)
    tensor([[3, 2, 0],
            [0, 0, 0],
            [3, 1, 3]], dtype=torch.int32)
    """
    number = {word: place for place, word in enumerate(words, FIRST)}
    longest = max(1, min(most, max(map(len, sequences), default=0)))
    tokens = np.zeros((len(sequences), longest), dtype=np.int32)
    for row, sequence in enumerate(sequences):
        numbers = [number.get(word, 1) for word in sequence[:longest]]
        tokens[row, : len(numbers)] = numbers
    return torch.from_numpy(tokens)


def trimmed(tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Tokens cut to the longest of the batch, and which of them are there; the first always counts as there.

    tokens: (..., longest of all) -> two of (..., longest of the batch).
    """
    lengths = (tokens != 0).sum(dim=-1).clamp_min(1)
    there = torch.arange(int(lengths.max())) < lengths[..., None]
    return tokens[..., : there.shape[-1]], there
