"""Pools of the demo: images of digits, photos or texts to classify, or simulated abstracts to screen."""

import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from examples.data.cifar10 import CLASSES, LabelledImages
from examples.service_demo.labelled_texts import LabelledTexts
from quorate import QuorateError
from quorate.client import Client, Truth
from quorate.simulation import abstracts

CURRENCY = "cents"  # so that money is not mistaken for votes: a worker's vote costs one
COST = f"cost in {CURRENCY}"
SIDE = {"digits": 64, "photos": 128}  # pixels of an image; the original digits have 8, the photos 32
N_PHOTOS, N_TEXTS = 300, 1000  # unless more are wanted
TASK = {  # settings that pools of one question share
    "costs": {"error": 50},
    "prices": {"votes": {"crowd": 1, "expert": 10}},
    "currency": CURRENCY,
}
YES, NO = "yes", "no"
CRITERIA = {
    "randomised": "Were the participants randomly assigned to treatments?",
    "adults": "Are the participants adults?",
    "metformin": "Was metformin the treatment?",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class DemoPool:
    """Settings of a project, a file of its items, and their gold labels, which only the simulated crowd knows.

    Attributes:
        what: what the items are, in the plural.
        settings: settings of the project.
        file: file of the items, without labels.
        truth: gold labels.
        n_gold: number of gold labels that the project which you label yourself may use, for practice and checks.
    """

    what: str
    settings: dict[str, Any]
    file: Path
    truth: Truth
    n_gold: int = 8

    @property
    def classes(self) -> Mapping[str, Sequence[str]]:
        """The answers to each question."""
        return {question["name"]: question["classes"] for question in self.settings["questions"]}

    @property
    def holds(self) -> Mapping[str, str] | None:
        """The answer with which each criterion holds; None unless the project is a screening."""
        return dict.fromkeys(self.classes, YES) if self.settings.get("kind") == "screening" else None

    def is_right(self, key: str, labels: Mapping[str, str | None]) -> bool:
        """Check whether an item has the right label; in a screening, whether it was rightly included or excluded."""
        true = {question: self.truth.of(question, key) for question in self.classes}
        return labels == true if self.holds is None else (labels == self.holds) == (true == self.holds)


class PoolMaker(Protocol):
    """A function that writes a pool to a folder."""

    def __call__(self, folder: Path, /, *, items: int | None = None) -> DemoPool:
        """Write a file of items to a folder, `items` of them or the usual number, and return the pool."""


def digits(folder: Path, *, items: int | None = None) -> DemoPool:
    """Write the 1,797 handwritten digits of scikit-learn, or the first `items` of them, as a zip of images."""
    from sklearn.datasets import load_digits

    data = load_digits()
    labels = [str(label) for label in data.target[:items]]
    settings = {
        "name": "Handwritten digits",
        "instructions": "These digits were written by hand, small and in a hurry.\nChoose the digit that you see.",
        "questions": [
            {"name": "digit", "text": "Which digit is this?", "classes": [str(digit) for digit in range(10)]}
        ],
    }
    keys = _write_images(
        folder / "digits.zip", (255 - data.images[:items] * 255 / 16).astype(np.uint8), side=SIDE["digits"]
    )
    truth = Truth({"digit": dict(zip(keys, labels, strict=True))})
    return DemoPool(what="digits", settings=settings | TASK, file=folder / "digits.zip", truth=truth)


def photos(folder: Path, *, data: LabelledImages, items: int | None = None) -> DemoPool:
    """Write the first photos of CIFAR-10, 300 or `items`, as a zip of images."""
    images, labels = data.images[: items or N_PHOTOS], data.labels[: items or N_PHOTOS]
    settings = {
        "name": "Photos of CIFAR-10",
        "instructions": "These photos are very small.\nChoose what you see.",
        "questions": [{"name": "object", "text": "What does the photo show?", "classes": list(CLASSES)}],
    }
    keys = _write_images(folder / "photos.zip", images, side=SIDE["photos"])
    truth = Truth({"object": {key: CLASSES[label] for key, label in zip(keys, labels, strict=True)}})
    return DemoPool(what="photos", settings=settings | TASK, file=folder / "photos.zip", truth=truth)


def texts(folder: Path, *, data: LabelledTexts, items: int | None = None, seed: int = 0) -> DemoPool:
    """Write texts of a file of yours, at most 1,000 or `items`, drawn at random, without their labels."""
    rows = np.random.default_rng(seed).permutation(len(data.keys))[: items or N_TEXTS]  # a file may be sorted by label
    path = folder / "texts.jsonl"
    lines = ({"key": data.keys[row], "text": data.texts[row]} for row in rows)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    settings = {
        "name": data.name,
        "instructions": "Read the text and choose the label that fits best.",
        "questions": [{"name": "label", "text": "Which label fits this text?", "classes": data.classes}],
    }
    truth = Truth({"label": {data.keys[row]: data.labels[row] for row in rows}})
    return DemoPool(what="texts", settings=settings | TASK, file=path, truth=truth, n_gold=0)


def screening(folder: Path, *, items: int | None = None, seed: int = 0) -> DemoPool:
    """Write simulated abstracts of studies, to be included if three criteria hold; the project starts with a pilot."""
    pool = abstracts(items or 400, seed=seed)
    path = folder / "abstracts.jsonl"
    rows = zip(pool.keys, pool.texts, strict=True)
    path.write_text("".join(json.dumps({"key": key, "text": text}) + "\n" for key, text in rows), encoding="utf-8")
    settings = {
        "name": "Trials of metformin in adults",
        "kind": "screening",
        "instructions": "Read the abstract and answer according to it.",
        "questions": [
            {"name": name, "text": text, "classes": [NO, YES], "holds": YES} for name, text in CRITERIA.items()
        ],
        "costs": {"error": 200},  # few are included: if errors were cheap, excluding all would cost least
        "prices": {"votes": {"crowd": 1, "expert": 10}},
        "currency": CURRENCY,
        "pilot": {"items": 100},
    }
    gold = {
        name: {key: YES if held else NO for key, held in zip(pool.keys, column, strict=True)}
        for name, column in zip(pool.criteria, pool.holds.T, strict=True)
    }
    return DemoPool(what="abstracts", settings=settings, file=path, truth=Truth(gold))


def upload(client: Client, project: int, pool: DemoPool) -> None:
    """Upload the items of a pool; raise an error if the service leaves any out."""
    report = client.imports.upload(project, pool.file)
    if report.bad:
        first = report.errors[0]
        raise QuorateError(f"the service refuses {report.bad:,} items; item {first['row']:,}: {first['error']}")


def _write_images(path: Path, images: Iterable[NDArray[np.uint8]], *, side: int) -> list[str]:
    """Write images, enlarged to squares of `side` pixels, as a zip of PNG files; return their names."""
    from PIL import Image

    keys = []
    with zipfile.ZipFile(path, "w") as file:
        for number, pixels in enumerate(images):
            buffer = io.BytesIO()
            Image.fromarray(pixels).resize((side, side), Image.Resampling.BICUBIC).save(buffer, "PNG")
            keys.append(f"{number:04}.png")
            file.writestr(keys[-1], buffer.getvalue())
    return keys
