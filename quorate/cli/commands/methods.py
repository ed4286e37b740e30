"""`quorate methods`: list methods and other parts that are chosen by name."""

from quorate import registry
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.build_learner import LEARNERS, SCHEDULES

EXAMPLES = output.examples(
    "quorate methods",
    "quorate methods --format json",
)


PACKAGES = {"learning": ("learning.learners", list(LEARNERS)), "learning.recipe": ("learning.training", ["recipe"])}
LEARNING_OBJECTS = ("learner", "last", "aggregator", "base", "head", "target", "loss", "recipe", "schedule", "step")
OBJECTS = (*LEARNING_OBJECTS, "costs", "prices", "fusion")
PARTS = {
    "decision.policies": "policies: accept a label, or ask for a vote",
    "decision.fusion": "fusions: combine classifiers and votes",
    "ambiguity": "scores of items: how ambiguous they are",
    "calibration": "calibrators: correct class probabilities",
    "learning": "learners: classifiers to train",
    "learning.bases": "bases: read the items of a network",
    "learning.heads": "heads: model the votes",
    "learning.targets": "targets: what a network is trained on",
    "learning.losses": "losses: how predictions are compared with targets",
    "learning.steps": "steps: how weights are updated",
    "learning.schedules": "schedules: how the learning rate changes",
    "learning.recipe": "recipe: how a network is trained",
}


def command(format: output.FormatOption = output.Format.table) -> None:  # noqa: A002 - the option's name
    """List every method, score, calibrator, policy, learner and part: what it is, and its options with defaults.

    These names go into --method, --score, --policy, --base and other options, and into the functions of Python.
    """
    folders = {"aggregation": _aggregation()} | {folder: _parts(folder) for folder in PARTS}
    if format is not output.Format.table:
        first = {"folder": [folder for folder, rows in folders.items() for _ in rows["method"]]}
        columns = {name: [cell for rows in folders.values() for cell in rows[name]] for name in folders["aggregation"]}
        console.rows(first | columns, format)
        return
    for folder, rows in folders.items():
        title = f"{len(rows['method'])} {PARTS.get(folder, 'methods')}"
        console.table(title, rows, wrap=["what it is", "options"])


def _aggregation() -> dict[str, list[str]]:
    classes = {name: registry.method_class("aggregation", name) for name in registry.names("aggregation")}
    return {
        "method": list(classes),
        "what it is": [(method.__doc__ or "").splitlines()[0] for method in classes.values()],
        "options": [_list_options(registry.options("aggregation", name)) for name in classes],
    }


def _parts(folder: str) -> dict[str, list[str]]:
    """Return the rows of a folder, read from its files: torch takes seconds to import, and may be missing."""
    if folder == "learning.schedules":
        return _schedules()
    package, names = PACKAGES.get(folder) or (folder, registry.names(folder))
    parts = {name: registry.describe(package, name) for name in names}
    return {
        "method": list(parts),
        "what it is": [summary for summary, _ in parts.values()],
        "options": [_list_options(options) for _, options in parts.values()],
    }


def _schedules() -> dict[str, list[str]]:
    """Return the rows of the schedules: they are in one file, which needs no torch."""
    module = registry.module("quorate.learning.training.schedules")
    classes = {name: getattr(module, name.capitalize()) for name in SCHEDULES}
    return {
        "method": list(classes),
        "what it is": [(method.__doc__ or "").splitlines()[0] for method in classes.values()],
        "options": [_list_options(registry.options_of(method)) for method in classes.values()],
    }


def _list_options(options: dict[str, str]) -> str:
    return ", ".join(f"{option}={default}" for option, default in options.items() if option not in OBJECTS)
