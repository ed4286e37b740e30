"""Words and characters as token ids: 0 is padding, 1 an unknown token, and the vocabulary follows from 2."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

N_RESERVED = 2  # token ids before those of the vocabulary: padding and unknown
MAX_CHARACTERS = 5000  # size of a vocabulary of characters; enough for every script
WORD = re.compile(r"[@#]?\w+(?:'\w+)*|[^\w\s]")


def tokenise(text: str) -> list[str]:
    """Split a text into words in lower case and single punctuation marks.

    >>> tokenise("Don't stop, @you: #NOW!")
    ["don't", 'stop', ',', '@you', ':', '#now', '!']
    """
    return WORD.findall(text.lower().replace("\u2019", "'"))


def build_vocabulary(sequences: Iterable[Sequence[str]], min_count: int, max_size: int) -> list[str]:
    """Return the most frequent tokens, at most `max_size`, that occur at least `min_count` times.

    Ties are in alphabetical order.

    >>> build_vocabulary(["abba", "cab"], min_count=2, max_size=10)
    ['a', 'b']
    """
    counts = Counter(token for sequence in sequences for token in sequence)
    order = sorted(counts, key=lambda token: (-counts[token], token))
    return [token for token in order[:max_size] if counts[token] >= min_count]


def encode_tokens(sequences: Sequence[Sequence[str]], vocabulary: list[str], max_tokens: int) -> Tensor:
    """Return the ids of the first `max_tokens` tokens of each sequence, padded with 0: (n, length), at least one wide.

    >>> encode_tokens([["to", "be"], [], ["to", "go", "to"]], ["be", "to"], max_tokens=5)
    tensor([[3, 2, 0],
            [0, 0, 0],
            [3, 1, 3]], dtype=torch.int32)
    """
    id_of = {token: token_id for token_id, token in enumerate(vocabulary, N_RESERVED)}
    longest = max(1, min(max_tokens, max(map(len, sequences), default=0)))
    token_ids = np.zeros((len(sequences), longest), dtype=np.int32)
    for row, sequence in enumerate(sequences):
        ids = [id_of.get(token, 1) for token in sequence[:longest]]
        token_ids[row, : len(ids)] = ids
    return torch.from_numpy(token_ids)


def trim_padding(token_ids: Tensor) -> tuple[Tensor, Tensor]:
    """Trim token ids to the longest sequence of the batch, and return them with their mask.

    The first position is never masked. token_ids: (..., length) -> two of (..., length of the longest in the batch).
    """
    lengths = (token_ids != 0).sum(dim=-1).clamp_min(1)
    mask = torch.arange(int(lengths.max())) < lengths[..., None]
    return token_ids[..., : mask.shape[-1]], mask
