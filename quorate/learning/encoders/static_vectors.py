"""Static vectors of tokens, from the package wordllama: fast and without torch, but blind to the order of words."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError
from quorate.learning.encoders.files import fingerprint

WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"


class StaticVectors:
    """Mean of the vectors of all tokens of a text, scaled to length 1; a text without tokens is all zeros.

    Attributes:
        name: the name of the package.
        version: identifies the vectors and the tokenizer.
        size: number of features of a text.
    """

    name = "wordllama"

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        try:
            self.vectors = load_file(folder / WEIGHTS)["embedding.weight"].astype(np.float32)
            self.tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        except Exception as error:  # both packages raise errors of their own
            raise FileError(f"{folder}: does not hold the vectors of wordllama: {error}") from None
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.size = self.vectors.shape[1]
        self.version = fingerprint([folder / WEIGHTS, folder / TOKENIZER])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the features of texts: (n_texts, size)."""
        features = np.zeros((len(texts), self.size), dtype=np.float32)
        for row, tokens in enumerate(self.tokenizer.encode_batch(list(texts), add_special_tokens=False)):
            if tokens.ids:
                mean = self.vectors[tokens.ids].mean(axis=0)
                features[row] = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return features
