from pathlib import Path

import numpy as np
import pytest

from quorate.errors import FileError
from quorate.learning.encoders.static_vectors import TOKENIZER, WEIGHTS, StaticVectors

VECTORS = np.array([[0, 0], [3, 0], [0, 3], [4, 1]], dtype=np.float16)  # of an unknown word, and of a, b and c


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pytest.importorskip("tokenizers", reason="needs pip install 'quorate[encoders]'")
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    for file in (WEIGHTS, TOKENIZER):
        (tmp_path / file).parent.mkdir()
    save_file({"embedding.weight": VECTORS}, tmp_path / WEIGHTS)
    tokenizer = Tokenizer(WordLevel({"?": 0, "a": 1, "b": 2, "c": 3}, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(tmp_path / TOKENIZER))
    return tmp_path


def test_features_are_means_of_length_1(folder: Path) -> None:
    encoder = StaticVectors(folder)
    assert (encoder.name, encoder.size) == ("wordllama", 2)
    features = encoder.encode(["a", "a b", "c a b b", "", "unheard"])  # means (3, 0), (1.5, 1.5), (1.75, 1.75)
    half = 0.5**0.5
    np.testing.assert_allclose(features, [[1, 0], [half, half], [half, half], [0, 0], [0, 0]], rtol=1e-6)


def test_the_version_depends_on_the_vectors(folder: Path) -> None:
    from safetensors.numpy import save_file

    version = StaticVectors(folder).version
    save_file({"embedding.weight": np.vstack([VECTORS, VECTORS])}, folder / WEIGHTS)
    assert StaticVectors(folder).version != version


def test_other_files_are_refused(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes(b"nothing")
    with pytest.raises(FileError, match="does not hold the vectors of wordllama"):
        StaticVectors(folder)
