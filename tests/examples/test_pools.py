"""Pools of the demo: which items are used, and that their file has no labels."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

from examples.data.cifar10 import CLASSES, LabelledImages
from examples.service_demo.labelled_texts import LabelledTexts
from examples.service_demo.pools import N_PHOTOS, N_TEXTS, digits, photos, texts

N = N_TEXTS + 100


def data_of(n: int = N) -> LabelledTexts:
    labels = sorted("even" if number % 2 == 0 else "odd" for number in range(n))  # as files often are
    return LabelledTexts(
        name="yours.csv",
        columns=("text", "label"),
        keys=[f"row {number}" for number in range(n)],
        texts=[f"It says «{number}»." for number in range(n)],
        labels=labels,
        n_left_out=0,
    )


def test_the_file_of_texts_has_no_labels(tmp_path: Path) -> None:
    data = data_of()
    pool = texts(tmp_path, data=data)
    rows = [json.loads(line) for line in pool.file.read_text(encoding="utf-8").splitlines()]
    assert {tuple(row) for row in rows} == {("key", "text")}
    content = dict(zip(data.keys, data.texts, strict=True))
    assert [row["text"] for row in rows] == [content[row["key"]] for row in rows]
    assert not any(word in pool.file.read_text() for word in ("even", "odd"))
    assert pool.n_gold == 0  # of the project that you label yourself either


def test_texts_are_drawn_at_random(tmp_path: Path) -> None:
    data = data_of()
    pool = texts(tmp_path, data=data)
    gold = dict(zip(data.keys, data.labels, strict=True))
    assert len(pool.truth.keys) == len(set(pool.truth.keys)) == N_TEXTS
    assert all(pool.truth.of("label", key) == gold[key] for key in pool.truth.keys)
    assert {pool.truth.of("label", key) for key in pool.truth.keys[:50]} == {"even", "odd"}
    assert texts(tmp_path, data=data).truth == pool.truth
    assert texts(tmp_path, data=data, seed=1).truth.keys != pool.truth.keys
    assert texts(tmp_path, data=data, items=60).truth.keys == pool.truth.keys[:60]


def test_a_class_that_was_not_drawn_remains_an_answer(tmp_path: Path) -> None:
    pool = texts(tmp_path, data=data_of(3), items=1)
    assert pool.classes == {"label": ["even", "odd"]}


def test_photos_are_enlarged_images_of_the_first_items(tmp_path: Path) -> None:
    colours = np.random.default_rng(0).integers(256, size=(N_PHOTOS + 1, 1, 1, 3))
    images = np.broadcast_to(colours, (N_PHOTOS + 1, 32, 32, 3)).astype(np.uint8)
    labels = np.arange(N_PHOTOS + 1) % 10
    pool = photos(tmp_path, data=LabelledImages(images=images, labels=labels))
    with zipfile.ZipFile(pool.file) as file:
        assert file.namelist() == pool.truth.keys
        assert len(file.namelist()) == N_PHOTOS
        image = Image.open(io.BytesIO(file.read("0012.png")))
    assert image.size == (128, 128)
    assert np.asarray(image)[64, 64].tolist() == images[12, 0, 0].tolist()
    assert pool.truth.of("object", "0012.png") == CLASSES[2]
    assert len(photos(tmp_path, data=LabelledImages(images=images, labels=labels), items=60).truth.keys) == 60


def test_digits_need_no_download(tmp_path: Path) -> None:
    pool = digits(tmp_path, items=12)
    assert [pool.truth.of("digit", key) for key in pool.truth.keys] == [*"0123456789", "0", "1"]
