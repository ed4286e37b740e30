"""Pools of the demo: real images of digits to classify, or simulated abstracts to screen."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quorate.client import Truth
from quorate.simulation import abstracts

CURRENCY = "cents"  # so that money is not mistaken for votes: a worker's vote costs one
COST = f"cost in {CURRENCY}"
SIDE = 64  # pixels of an image; the original digits have eight
YES, NO = "yes", "no"
CRITERIA = {
    "randomised": "Were the participants randomly assigned to treatments?",
    "adults": "Are the participants adults?",
    "metformin": "Was metformin the treatment?",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class DemoPool:
    """Settings of a project, a file of its items, and their gold labels, which only the simulated crowd knows."""

    settings: dict[str, Any]
    file: Path
    truth: Truth

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


def digits(folder: Path, *, items: int | None = None) -> DemoPool:
    """Write the 1,797 handwritten digits of scikit-learn, or the first `items` of them, as a zip of images."""
    from PIL import Image
    from sklearn.datasets import load_digits

    data = load_digits()
    labels = [str(label) for label in data.target[:items]]
    keys = [f"{number:04}.png" for number in range(len(labels))]
    path = folder / "digits.zip"
    with zipfile.ZipFile(path, "w") as file:
        for key, pixels in zip(keys, data.images, strict=False):
            image = Image.fromarray(np.uint8(255 - pixels * 255 / 16)).resize((SIDE, SIDE), Image.Resampling.BICUBIC)
            buffer = io.BytesIO()
            image.save(buffer, "PNG")
            file.writestr(key, buffer.getvalue())
    settings = {
        "name": "Handwritten digits",
        "instructions": "Choose the digit that was written.",
        "questions": [
            {"name": "digit", "text": "Which digit is this?", "classes": [str(digit) for digit in range(10)]}
        ],
        "costs": {"error": 50},
        "prices": {"votes": {"crowd": 1, "expert": 10}},
        "currency": CURRENCY,
    }
    return DemoPool(settings=settings, file=path, truth=Truth({"digit": dict(zip(keys, labels, strict=True))}))


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
    return DemoPool(settings=settings, file=path, truth=Truth(gold))
