"""A recurrent network that tags a word in its text: by its characters, and by the words around it."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_numbers
from quorate.errors import VotesError
from quorate.learning.bases._layers import require_heads
from quorate.learning.bases._recurrent import Reader
from quorate.learning.bases._texts import as_list
from quorate.learning.bases._words import FIRST, MOST_CHARACTERS, encode, trimmed, vocabulary
from quorate.learning.training.rows import Rows, SeveralRows, TokenRows


@dataclass(frozen=True, kw_only=True)
class CharWordRnn:
    """Characters of the word and words of its text, each read both ways, and attention over the text.

    x: a list of (text, place): the words of the text are what blanks part, and place is the number of the one to tag,
    from 0; ("I won't go", 1) asks about "won't". In place of the text, a list of its words may stand.
    The word is read up to `max_characters` with its case; the text in lower case, `around` words to either side.
    The features are the last state over the characters, the state over the words at the place, and what these two
    together attend to in the text: the tagger of Plank et al. (2016) with the attention of Fornaciari et al. (2021),
    which takes GloVe vectors where this one learns its own.
    """

    embedding: int = 100
    char_embedding: int = 50
    hidden: int = 100
    char_hidden: int = 50
    heads: int = 4
    dropout: float = 0.2
    min_count: int = 2
    most_words: int = 20_000
    around: int = 25
    max_characters: int = 40

    def __post_init__(self) -> None:
        require_numbers(self, "embedding", "char_embedding", "hidden", "char_hidden", at_least=1)
        require_numbers(self, "min_count", "most_words", "around", "max_characters", at_least=1)
        require_heads(2 * (self.hidden + self.char_hidden), self.heads)
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network."""
        asked = words_asked(x)
        once = {id(words): words for words, _ in asked}.values()  # a text counts once, however many words are asked
        lower = [[word.lower() for word in words] for words in once]
        return {
            "words": vocabulary(lower, self.min_count, self.most_words),
            "characters": vocabulary((word for words in once for word in words), 1, MOST_CHARACTERS),
        }

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        return TaggerLayers(len(known["words"]), len(known["characters"]), self)

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them: the words around, the place among them, and the word's characters."""
        asked = words_asked(x)
        starts = [max(0, place - self.around) for _, place in asked]
        near = [words[start : place + self.around + 1] for (words, place), start in zip(asked, starts, strict=True)]
        lower = [[word.lower() for word in words] for words in near]
        places = torch.tensor([place - start for (_, place), start in zip(asked, starts, strict=True)])
        return SeveralRows(
            (
                TokenRows(encode(lower, known["words"], 2 * self.around + 1)),
                TokenRows(places),
                TokenRows(encode([words[place] for words, place in asked], known["characters"], self.max_characters)),
            )
        )


def words_asked(x: Any) -> list[tuple[tuple[str, ...], int]]:
    """Checked (text, place) pairs as (words, place); the same text gives the same tuple of words."""
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    asked = []
    for row, pair in enumerate(as_list(x, "(text, place) pairs")):
        words = _words(pair)
        if words is None:
            raise VotesError(f"x must hold (text, place) pairs (row {row + 1}): place is a word's number, from 0")
        place = pair[1]
        if isinstance(place, bool) or not hasattr(place, "__index__"):
            raise VotesError(f"place must be a word's number, from 0, got {place!r} (row {row + 1})")
        if not 0 <= int(place) < len(words):
            raise VotesError(f"there is no word {place} in a text of {len(words)} words (row {row + 1}): count from 0")
        asked.append((same.setdefault(words, words), int(place)))
    return asked


def _words(pair: Any) -> tuple[str, ...] | None:
    """The words of a pair's text, given whole or as a list of words; None where it has none."""
    if not (isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str | tuple | list)):
        return None
    words = tuple(pair[0].split() if isinstance(pair[0], str) else pair[0])
    return words if all(isinstance(word, str) for word in words) else None


class TaggerLayers(nn.Module):
    """Embeddings, two readers, and attention."""

    def __init__(self, n_words: int, n_characters: int, options: CharWordRnn) -> None:
        super().__init__()
        self.words = nn.Embedding(n_words + FIRST, options.embedding, padding_idx=0)
        self.characters = nn.Embedding(n_characters + FIRST, options.char_embedding, padding_idx=0)
        self.context = Reader(options.embedding, options.hidden)
        self.spelling = Reader(options.char_embedding, options.char_hidden)
        both, around = self.context.size + self.spelling.size, self.context.size
        self.attention = nn.MultiheadAttention(both, options.heads, kdim=around, vdim=around, batch_first=True)
        self.dropout = nn.Dropout(options.dropout)
        self.size = 2 * both

    def forward(self, batch: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Features: (n, words), (n,), (n, characters) -> (n, size)."""
        words, there = trimmed(batch[0])
        characters, spelt = trimmed(batch[2])
        states, _ = self.context(self.dropout(self.words(words)), there)  # (n, words, 2 * hidden)
        _, spelling = self.spelling(self.dropout(self.characters(characters)), spelt)
        both = torch.cat([states[torch.arange(len(states)), batch[1]], spelling], dim=1)
        attended, _ = self.attention(both[:, None], states, states, key_padding_mask=~there, need_weights=False)
        return self.dropout(torch.cat([both, attended[:, 0]], dim=1))
