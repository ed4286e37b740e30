"""What the demo of the service has people classify: real images of digits, or made-up abstracts to screen."""

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

CURRENCY = "cents"  # so that money is not taken for votes: a vote of a worker costs one
COST = f"cost in {CURRENCY}"
SIDE = 64  # pixels of an image; the digits themselves have eight
YES, NO = "yes", "no"
CRITERIA = {
    "randomised": "Were the participants given their treatment at random?",
    "adults": "Are the participants adults?",
    "metformin": "Is metformin what was given?",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class DemoPool:
    """A project to make, a file of its items to upload, and what is true of them, which only the crowd knows."""

    settings: dict[str, Any]
    file: Path
    truth: Truth

    @property
    def classes(self) -> Mapping[str, Sequence[str]]:
        """The answers to each question."""
        return {one["name"]: one["classes"] for one in self.settings["questions"]}

    @property
    def holds(self) -> Mapping[str, str] | None:
        """Of screening, the answer by which each criterion holds."""
        return dict.fromkeys(self.classes, YES) if self.settings.get("kind") == "screening" else None

    def is_right(self, key: str, said: Mapping[str, str | None]) -> bool:
        """Whether an item was labelled rightly; of screening, whether it was rightly included or left out."""
        true = {question: self.truth.of(question, key) for question in self.classes}
        return said == true if self.holds is None else (said == self.holds) == (true == self.holds)


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
        "instructions": "Say which digit was written.",
        "questions": [{"name": "digit", "text": "Which digit is this?", "classes": [str(one) for one in range(10)]}],
        "costs": {"error": 50},
        "prices": {"votes": {"crowd": 1, "expert": 10}},
        "currency": CURRENCY,
    }
    return DemoPool(settings=settings, file=path, truth=Truth({"digit": dict(zip(keys, labels, strict=True))}))


def screening(folder: Path, *, items: int | None = None, seed: int = 0) -> DemoPool:
    """Abstracts of studies of which those are wanted that meet three criteria; a pilot tells what it will cost."""
    made = abstracts(items or 400, seed=seed)
    path = folder / "abstracts.jsonl"
    rows = zip(made.keys, made.texts, strict=True)
    path.write_text("".join(json.dumps({"key": key, "text": text}) + "\n" for key, text in rows), encoding="utf-8")
    settings = {
        "name": "Trials of metformin in adults",
        "kind": "screening",
        "instructions": "Read the abstract and answer by what it says.",
        "questions": [
            {"name": name, "text": text, "classes": [NO, YES], "holds": YES} for name, text in CRITERIA.items()
        ],
        "costs": {"error": 200},  # few are wanted: were errors cheap, to leave all out would be the cheapest
        "prices": {"votes": {"crowd": 1, "expert": 10}},
        "currency": CURRENCY,
        "pilot": {"items": 100},
    }
    said = {
        name: {key: YES if held else NO for key, held in zip(made.keys, column, strict=True)}
        for name, column in zip(made.criteria, made.holds.T, strict=True)
    }
    return DemoPool(settings=settings, file=path, truth=Truth(said))
