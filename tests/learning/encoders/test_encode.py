from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quorate.errors import FileError, VotesError
from quorate.learning.encoders.cache import feature_cache
from quorate.learning.encoders.encode import as_pixels, encode_images, encode_texts


class Lengths:
    """An encoder whose features are the lengths of texts, or the mean colours of images."""

    name, version = "lengths", "lengths-1"

    def __init__(self, size: int) -> None:
        self.size, self.n_encoded = size, 0

    def encode(self, contents: Any) -> NDArray[np.float32]:
        self.n_encoded += len(contents)
        if isinstance(contents, np.ndarray):
            return contents.mean(axis=(2, 3), dtype=np.float32)
        return np.array([[len(text)] for text in contents], dtype=np.float32)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path / "cache"))


def test_texts_are_encoded_once_by_several_runs(tmp_path: Path) -> None:
    encoder = Lengths(1)
    for texts in (["a", "bb", "a"], ["bb", "ccc"]):
        assert encode_texts(encoder, texts).ravel().tolist() == [len(text) for text in texts]
        feature_cache.cache_clear()  # as in another run
    assert encoder.n_encoded == 3
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["lengths-1.sqlite"]


def test_a_cache_that_cannot_be_written_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path / "file"))
    assert encode_texts(Lengths(1), ["abc"]).tolist() == [[3]]


def test_images_are_known_by_their_content(tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    colours = [(255, 0, 0), (0, 128, 0), (255, 0, 0)]
    paths = [tmp_path / f"{number}.png" for number in range(3)]
    for path, colour in zip(paths, colours, strict=True):
        pillow.new("RGB", (5, 4), colour).save(path)
    encoder = Lengths(3)
    assert encode_images(encoder, paths).tolist() == [[255, 0, 0], [0, 128, 0], [255, 0, 0]]
    assert encoder.n_encoded == 2
    with pytest.raises(FileError, match="cannot be read: No such file"):
        encode_images(encoder, [tmp_path / "missing.png"])


def test_arrays_of_images() -> None:
    encoder = Lengths(3)
    images = np.zeros((3, 3, 2, 2), dtype=np.uint8)
    images[1, 2] = 200
    assert encode_images(encoder, images).tolist() == [[0, 0, 0], [0, 0, 200], [0, 0, 0]]
    assert encoder.n_encoded == 2
    encode_images(encoder, images.reshape(3, 3, 1, 4))  # the same bytes in another shape
    assert encoder.n_encoded == 4


def test_pixels_are_red_green_and_blue() -> None:
    assert as_pixels(np.full((1, 1, 1, 1), 0.5)).ravel().tolist() == [128, 128, 128]
    assert as_pixels(np.array([[[[1]], [[2]], [[3]]]])).ravel().tolist() == [1, 2, 3]
    for wrong, message in (
        (np.zeros((2, 3)), "got shape"),
        (np.zeros((1, 2, 4, 4)), "got shape"),
        (np.full((1, 3, 1, 1), 1.5), "from 0 to 1"),
        (np.full((1, 3, 1, 1), np.nan), "from 0 to 1"),
        (np.full((1, 3, 1, 1), 256), "from 0 to 255"),
    ):
        with pytest.raises(VotesError, match=message):
            as_pixels(wrong)
