from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from quorate.errors import FileError
from quorate.learning.bases import _embedding_cache
from quorate.learning.bases._embedding_cache import EmbeddingCache, Encode

TEXTS = (["a", "bb", "a", "ccc"],)


def lengths(sides: tuple[list[str], ...], encoded: list[list[int]]) -> Encode:
    """Return an encoder whose embeddings are the lengths of texts, and which records the indices it encodes."""

    def encode(indices: NDArray[np.int64]) -> NDArray[np.float32]:
        encoded.append(indices.tolist())
        return np.array([[len(side[index]) for side in sides] for index in indices], dtype=np.float32)

    return encode


def test_each_text_is_encoded_once() -> None:
    cache, encoded = EmbeddingCache("", "encoder", 1), list[list[int]]()
    assert cache.get(TEXTS, lengths(TEXTS, encoded)).tolist() == [[1], [2], [1], [3]]
    more = (["ccc", "dddd", ""],)
    assert cache.get(more, lengths(more, encoded)).tolist() == [[3], [4], [0]]
    assert encoded == [[0, 1, 3], [1, 2]]


def test_pairs_and_texts_have_different_keys() -> None:
    cache, encoded = EmbeddingCache("", "encoder", 2), list[list[int]]()
    for pairs in ((["ab", "a"], ["", "b"]), (["b"], ["a"])):
        assert cache.get(pairs, lengths(pairs, encoded))[0].tolist() == [len(pairs[0][0]), len(pairs[1][0])]
    assert encoded == [[0, 1], [0]]


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_embedding_cache, "MAX_IN_MEMORY", 3)
    cache, encoded = EmbeddingCache("", "encoder", 1), list[list[int]]()
    for texts in (TEXTS, (["a", "dddd"],), (["a"],)):
        cache.get(texts, lengths(texts, encoded))
    assert encoded == [[0, 1, 3], [1], [0]]


def test_a_folder_keeps_embeddings_between_runs(tmp_path: Path) -> None:
    folder, encoded = str(tmp_path / "new" / "folder"), list[list[int]]()
    other = EmbeddingCache(folder, "encoder", 1)  # another process, at the same time
    for cache, texts in (
        (EmbeddingCache(folder, "encoder", 1), TEXTS),
        (other, (["bb", "dddd"],)),
        (EmbeddingCache(folder, "encoder", 1), (["dddd", "ccc"],)),
        (EmbeddingCache(folder, "another encoder", 1), (["a"],)),
    ):
        assert cache.get(texts, lengths(texts, encoded)).ravel().tolist() == [len(text) for text in texts[0]]
    assert encoded == [[0, 1, 3], [1], [0]]


def test_texts_of_a_damaged_file_are_encoded_again(tmp_path: Path) -> None:
    EmbeddingCache(str(tmp_path), "encoder", 1).get(TEXTS, lengths(TEXTS, []))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (whole[:-5], whole[:20], b""):
        file.write_bytes(damaged)
        encoded = list[list[int]]()
        EmbeddingCache(str(tmp_path), "encoder", 1).get(TEXTS, lengths(TEXTS, encoded))
        assert encoded == [[0, 1, 3]]
        assert file.read_bytes() == whole


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file: the folder cannot be created"):
        EmbeddingCache(str(tmp_path / "file"), "encoder", 1).get(TEXTS, lengths(TEXTS, []))
