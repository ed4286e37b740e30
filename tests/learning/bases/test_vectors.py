from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from quorate.errors import FileError
from quorate.learning.bases import _vectors
from quorate.learning.bases._vectors import Make, Vectors

TEXTS = (["a", "bb", "a", "ccc"],)


def lengths(sides: tuple[list[str], ...], made: list[list[int]]) -> Make:
    """Makes vectors of the lengths of texts, and notes for which places."""

    def make(places: NDArray[np.int64]) -> NDArray[np.float32]:
        made.append(places.tolist())
        return np.array([[len(side[place]) for side in sides] for place in places], dtype=np.float32)

    return make


def test_each_text_is_made_once() -> None:
    store, made = Vectors("", "maker", 1), list[list[int]]()
    assert store.of(TEXTS, lengths(TEXTS, made)).tolist() == [[1], [2], [1], [3]]
    more = (["ccc", "dddd", ""],)
    assert store.of(more, lengths(more, made)).tolist() == [[3], [4], [0]]
    assert made == [[0, 1, 3], [1, 2]]


def test_pairs_are_told_apart_from_texts() -> None:
    store, made = Vectors("", "maker", 2), list[list[int]]()
    for pairs in ((["ab", "a"], ["", "b"]), (["b"], ["a"])):
        assert store.of(pairs, lengths(pairs, made))[0].tolist() == [len(pairs[0][0]), len(pairs[1][0])]
    assert made == [[0, 1], [0]]


def test_memory_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_vectors, "MOST", 3)
    store, made = Vectors("", "maker", 1), list[list[int]]()
    for texts in (TEXTS, (["a", "dddd"],), (["a"],)):
        store.of(texts, lengths(texts, made))
    assert made == [[0, 1, 3], [1], [0]]


def test_a_folder_keeps_them_for_the_next_run(tmp_path: Path) -> None:
    folder, made = str(tmp_path / "new" / "folder"), list[list[int]]()
    other = Vectors(folder, "maker", 1)  # another program, which runs at the same time
    for store, texts in (
        (Vectors(folder, "maker", 1), TEXTS),
        (other, (["bb", "dddd"],)),
        (Vectors(folder, "maker", 1), (["dddd", "ccc"],)),
        (Vectors(folder, "another maker", 1), (["a"],)),
    ):
        assert store.of(texts, lengths(texts, made)).ravel().tolist() == [len(text) for text in texts[0]]
    assert made == [[0, 1, 3], [1], [0]]


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    Vectors(str(tmp_path), "maker", 1).of(TEXTS, lengths(TEXTS, []))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (whole[:-5], whole[:20], b""):
        file.write_bytes(damaged)
        made = list[list[int]]()
        Vectors(str(tmp_path), "maker", 1).of(TEXTS, lengths(TEXTS, made))
        assert made == [[0, 1, 3]]
        assert file.read_bytes() == whole


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file: cannot be made a folder"):
        Vectors(str(tmp_path / "file"), "maker", 1).of(TEXTS, lengths(TEXTS, []))
