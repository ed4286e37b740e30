"""The function `methods`: a table of all methods, with their options."""

from typing import Any

from quorate import registry
from quorate.data.frames import make_frame

KINDS = {  # folder -> kind of its methods, in the order of the table
    "aggregation": "aggregation method",
    "quality.workers": "worker score",
    "quality.agreement": "agreement measure",
    "ambiguity": "item score",
    "calibration": "calibrator",
    "decision.policies": "policy",
    "decision.fusion": "fusion method",
    "learning.learners": "learner",
    "learning.bases": "base",
    "learning.heads": "head",
    "learning.targets": "target",
    "learning.losses": "loss",
    "learning.steps": "step",
}


def methods() -> Any:
    """Return a polars frame with one row per method: kind, name, class_name, package, description and options.

    The class can be imported from its package; options are shown with their defaults. Methods that need torch are
    listed even if it is not installed.

    >>> table = methods()
    >>> table.filter(table["name"] == "one_coin").select("kind", "class_name", "package").row(0)
    ('aggregation method', 'OneCoin', 'quorate.aggregation')
    """
    rows = method_rows()
    return make_frame({key: [row[key] for row in rows] for key in rows[0]}, "polars")


def method_rows() -> list[dict[str, str]]:
    """Return the rows of the table of methods."""
    return [_row(folder, name) for folder in KINDS for name in registry.names(folder)]


def _row(folder: str, name: str) -> dict[str, str]:
    description, options = registry.describe(folder, name)
    if not folder.startswith("learning."):  # the files of learners and their parts are only read: they import torch
        options = registry.options(folder, name)
    return {
        "kind": KINDS[folder],
        "name": name,
        "class_name": registry.class_name(name),
        "package": f"quorate.{folder}",
        "description": description,
        "options": ", ".join(f"{option}={default}" for option, default in options.items()),
    }
