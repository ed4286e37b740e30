import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from quorate.errors import FileError
from quorate.inference.progress import watch_rounds
from quorate.learning.encoders import cache as cache_module
from quorate.learning.encoders.cache import Encode, FeatureCache, content_keys, default_folder

TEXTS = ["a", "bb", "a", "ccc"]


def lengths(texts: Sequence[str], encoded: list[list[int]]) -> Encode:
    """Return an encoder whose features are the lengths of texts, and which records the indices it encodes."""

    def encode(indices: NDArray[np.int64]) -> NDArray[np.float32]:
        encoded.append(indices.tolist())
        return np.array([[len(texts[index])] for index in indices], dtype=np.float32)

    return encode


def get(cache: FeatureCache, texts: Sequence[str], encoded: list[list[int]]) -> list[float]:
    return cache.get(content_keys(texts), lengths(texts, encoded)).ravel().tolist()


def test_an_item_is_encoded_once() -> None:
    cache, encoded = FeatureCache("", "encoder", 1), list[list[int]]()
    assert get(cache, TEXTS, encoded) == [1, 2, 1, 3]
    assert get(cache, ["ccc", "dddd", ""], encoded) == [3, 4, 0]
    assert get(cache, [], encoded) == []
    assert encoded == [[0, 1, 3], [1, 2]]


def test_keys_depend_on_the_content_alone() -> None:
    keys = content_keys(["ab", ("a", "b"), ("ab", ""), ("b", "a"), b"ab", "ab", "\udc80"])
    assert keys[0] == keys[5]
    assert len(set(keys)) == 6


def test_items_of_similar_length_are_encoded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "CHUNK", 2)
    texts, encoded, reports = ["aaaa", "b", "ccc", "dd"], list[list[int]](), list[tuple[int, int]]()
    with watch_rounds(lambda done, total: reports.append((done, total))):
        table = FeatureCache("", "encoder", 1).get(content_keys(texts), lengths(texts, encoded), [4, 1, 3, 2])
    assert table.ravel().tolist() == [4, 1, 3, 2]
    assert encoded == [[1, 3], [2, 0]]
    assert reports == [(2, 4), (4, 4)]


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MAX_BYTES_IN_MEMORY", 12)  # three rows
    cache, encoded = FeatureCache("", "encoder", 1), list[list[int]]()
    for texts in (TEXTS, ["a", "dddd"], ["a"], list("efgh"), ["a"]):
        get(cache, texts, encoded)
    assert encoded == [[0, 1, 3], [1], [0], [0, 1, 2, 3], [0]]
    assert len(cache.memory) <= 3


def test_a_folder_keeps_features_between_runs(tmp_path: Path) -> None:
    folder, encoded = str(tmp_path / "new" / "folder"), list[list[int]]()
    other = FeatureCache(folder, "encoder", 1)  # another process, at the same time
    for cache, texts in (
        (FeatureCache(folder, "encoder", 1), TEXTS),
        (other, ["bb", "dddd"]),
        (FeatureCache(folder, "encoder", 1), ["dddd", "ccc"]),
        (FeatureCache(folder, "another encoder", 1), ["a"]),
    ):
        assert get(cache, texts, encoded) == [len(text) for text in texts]
    assert encoded == [[0, 1, 3], [1], [0]]


def test_features_have_the_same_precision_before_and_after(tmp_path: Path) -> None:
    def encode(rows: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.array([[1 / 3]], dtype=np.float32)

    before, after = (FeatureCache(str(tmp_path), "encoder", 1, np.float16).get([b"key"], encode) for _ in range(2))
    assert before.dtype == np.float16
    assert np.array_equal(before, after)


@pytest.mark.parametrize("seconds", [0.0, 1000.0])  # written after every chunk, or when it is interrupted
def test_interrupted_work_goes_on_where_it_stopped(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "CHUNK", 2)
    monkeypatch.setattr(cache_module, "WRITE_SECONDS", seconds)
    texts, encoded = ["a", "bb", "ccc", "dddd", "eeeee"], list[list[int]]()
    encode = lengths(texts, encoded)

    def interrupted(indices: NDArray[np.int64]) -> NDArray[np.float32]:
        if 4 in indices:
            raise KeyboardInterrupt
        return encode(indices)

    with pytest.raises(KeyboardInterrupt):
        FeatureCache(str(tmp_path), "encoder", 1).get(content_keys(texts), interrupted)
    assert encoded == [[0, 1], [2, 3]]
    assert get(FeatureCache(str(tmp_path), "encoder", 1), texts, encoded) == [1, 2, 3, 4, 5]
    assert encoded[2:] == [[4]]


def test_items_of_a_damaged_file_are_encoded_again(tmp_path: Path) -> None:
    get(FeatureCache(str(tmp_path), "encoder", 1), TEXTS, [])
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (whole[:2000], b"not a database, but a long enough text" * 100, b""):
        file.write_bytes(damaged)
        encoded = list[list[int]]()
        for _ in range(2):
            assert get(FeatureCache(str(tmp_path), "encoder", 1), TEXTS, encoded) == [1, 2, 1, 3]
        assert encoded == [[0, 1, 3]]


def test_features_of_another_size_are_encoded_again(tmp_path: Path) -> None:
    get(FeatureCache(str(tmp_path), "encoder", 1), TEXTS, [])
    encoded = list[list[int]]()
    FeatureCache(str(tmp_path), "encoder", 2).get(content_keys(TEXTS), lengths(TEXTS, encoded))
    assert encoded == [[0, 1, 3]]


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="the cache cannot be read or written"):
        get(FeatureCache(str(tmp_path / "file"), "encoder", 1), TEXTS, [])
    cache, encoded = FeatureCache(str(tmp_path / "file"), "encoder", 1, optional=True), list[list[int]]()
    for _ in range(2):
        assert get(cache, TEXTS, encoded) == [1, 2, 1, 3]
    assert encoded == [[0, 1, 3]]


def test_the_folder_is_in_the_environment_or_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path))
    assert default_folder() == str(tmp_path)
    monkeypatch.setenv("QUORATE_CACHE", "")
    assert default_folder() == ""
    monkeypatch.delenv("QUORATE_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert Path(default_folder()) == tmp_path / "quorate" / "features"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Path(default_folder()) == tmp_path / ".cache" / "quorate" / "features"
