"""A recurrent network that tags a word in its text, using its characters and the words around it."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_numbers
from quorate.errors import VotesError
from quorate.learning.bases._layers import require_attention_heads
from quorate.learning.bases._recurrent import LstmStack
from quorate.learning.bases._texts import check_list
from quorate.learning.bases._words import MAX_CHARACTERS, N_RESERVED, build_vocabulary, encode_tokens, trim_padding
from quorate.learning.training.rows import Rows, SeveralRows, TokenRows


@dataclass(frozen=True, kw_only=True)
class CharWordRnn:
    """Bidirectional LSTMs over the characters of a word and the words of its text, and attention over the text.

    x is a list of (text, position): words are separated by whitespace, and position is the index of the word to tag,
    from 0; ("I won't go", 1) asks about "won't". The text may also be a list of its words.
    The features are the last hidden state over the characters, the hidden state over the words at the position, and
    what these two together attend to in the text: the tagger of Plank et al. (2016) with the attention of Fornaciari et
    al. (2021), which uses GloVe embeddings where this base trains its own.

    Args:
        embedding: size of a word embedding.
        char_embedding: size of a character embedding.
        hidden: hidden size of the LSTM over words, per direction.
        char_hidden: hidden size of the LSTM over characters, per direction.
        heads: attention heads; must divide `2 * (hidden + char_hidden)`.
        dropout: dropout rate, on embeddings and features.
        min_count: rarer words become one unknown word.
        most_words: maximum size of the vocabulary of words.
        around: words read on either side of the word to tag, in lower case.
        max_characters: characters read of the word to tag, with their case.
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
        require_attention_heads(2 * (self.hidden + self.char_hidden), self.heads)
        require_numbers(self, "dropout", at_least=0, below=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """Return what is needed of x to build the network, as plain JSON."""
        tagged = check_tagged_words(x)
        texts = {id(words): words for words, _ in tagged}.values()  # a text counts once, however many words are tagged
        lower = [[word.lower() for word in words] for words in texts]
        return {
            "words": build_vocabulary(lower, self.min_count, self.most_words),
            "characters": build_vocabulary((word for words in texts for word in words), 1, MAX_CHARACTERS),
        }

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        return TaggerLayers(len(spec["words"]), len(spec["characters"]), self)

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Return rows of three inputs: the nearby words, the position among them, and the characters of the word."""
        tagged = check_tagged_words(x)
        starts = [max(0, position - self.around) for _, position in tagged]
        nearby = [words[start : i + self.around + 1] for (words, i), start in zip(tagged, starts, strict=True)]
        lower = [[word.lower() for word in words] for words in nearby]
        positions = torch.tensor([position - start for (_, position), start in zip(tagged, starts, strict=True)])
        spellings = [words[position] for words, position in tagged]
        return SeveralRows(
            (
                TokenRows(encode_tokens(lower, spec["words"], 2 * self.around + 1)),
                TokenRows(positions),
                TokenRows(encode_tokens(spellings, spec["characters"], self.max_characters)),
            )
        )


def check_tagged_words(x: Any) -> list[tuple[tuple[str, ...], int]]:
    """Check (text, position) pairs and return (words, position); equal texts share one tuple of words."""
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    tagged = []
    for row, pair in enumerate(check_list(x, "(text, position) pairs")):
        words = _words(pair)
        if words is None:
            raise VotesError(f"x must hold (text, position) pairs (row {row + 1}): position is a word's index, from 0")
        position = pair[1]
        if isinstance(position, bool) or not hasattr(position, "__index__"):
            raise VotesError(f"position must be a word's index, from 0, got {position!r} (row {row + 1})")
        if not 0 <= int(position) < len(words):
            raise VotesError(
                f"position {position} is outside a text of {len(words)} words (row {row + 1}): count from 0"
            )
        tagged.append((same.setdefault(words, words), int(position)))
    return tagged


def _words(pair: Any) -> tuple[str, ...] | None:
    """Return the words of the text of a pair, which may be a list of words; None if it is neither."""
    if not (isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str | tuple | list)):
        return None
    words = tuple(pair[0].split() if isinstance(pair[0], str) else pair[0])
    return words if all(isinstance(word, str) for word in words) else None


class TaggerLayers(nn.Module):
    """Embeddings, two LSTMs, and attention."""

    def __init__(self, n_words: int, n_characters: int, options: CharWordRnn) -> None:
        super().__init__()
        self.words = nn.Embedding(n_words + N_RESERVED, options.embedding, padding_idx=0)
        self.characters = nn.Embedding(n_characters + N_RESERVED, options.char_embedding, padding_idx=0)
        self.context = LstmStack(options.embedding, options.hidden)
        self.spelling = LstmStack(options.char_embedding, options.char_hidden)
        both, context = self.context.size + self.spelling.size, self.context.size
        self.attention = nn.MultiheadAttention(both, options.heads, kdim=context, vdim=context, batch_first=True)
        self.dropout = nn.Dropout(options.dropout)
        self.size = 2 * both

    def forward(self, batch: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Return features: (n, words), (n,), (n, characters) -> (n, size)."""
        words, mask = trim_padding(batch[0])
        characters, character_mask = trim_padding(batch[2])
        states, _ = self.context(self.dropout(self.words(words)), mask)  # (n, words, 2 * hidden)
        _, spelling = self.spelling(self.dropout(self.characters(characters)), character_mask)
        both = torch.cat([states[torch.arange(len(states)), batch[1]], spelling], dim=1)
        attended, _ = self.attention(both[:, None], states, states, key_padding_mask=~mask, need_weights=False)
        return self.dropout(torch.cat([both, attended[:, 0]], dim=1))
