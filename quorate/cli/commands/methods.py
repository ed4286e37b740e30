"""`quorate methods`: what there is to choose from."""

from quorate import registry
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.learner import LEARNERS, SCHEDULES

EXAMPLES = output.examples(
    "quorate methods",
    "quorate methods --format json",
)


HOMES = {"learning": ("learning.learners", list(LEARNERS)), "learning.recipe": ("learning.training", ["recipe"])}
LEARNING_OBJECTS = ("learner", "last", "aggregator", "base", "head", "target", "loss", "recipe", "schedule", "step")
OBJECTS = (*LEARNING_OBJECTS, "costs", "prices", "fusion")
PARTS = {
    "decision.policies": "policies: accept a label, or ask for a vote",
    "decision.fusion": "fusions: how machines and votes are added up",
    "ambiguity": "scores of items: how ambiguous they are",
    "calibration": "calibrators: probabilities that can be trusted",
    "learning": "learners: what is trained",
    "learning.bases": "bases: what a network sees",
    "learning.heads": "heads: how it explains the votes",
    "learning.targets": "targets: what it is taught",
    "learning.losses": "losses: how far off it is",
    "learning.steps": "steps: how its weights move",
    "learning.schedules": "schedules: how its rate goes",
    "learning.recipe": "recipe: how it is trained",
}


def command(format: output.FormatOption = output.Format.table) -> None:  # noqa: A002 - the option's name
    """List every method, score, calibrator, policy, learner and part: what it is, and its options with defaults."""
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
        "what it is": [(found.__doc__ or "").splitlines()[0] for found in classes.values()],
        "options": [_listed(registry.options("aggregation", name)) for name in classes],
    }


def _parts(folder: str) -> dict[str, list[str]]:
    """Read from the files: torch takes seconds to import, and need not be there."""
    if folder == "learning.schedules":
        return _schedules()
    home, names = HOMES.get(folder) or (folder, registry.names(folder))
    found = {name: registry.describe(home, name) for name in names}
    return {
        "method": list(found),
        "what it is": [what for what, _ in found.values()],
        "options": [_listed(options) for _, options in found.values()],
    }


def _schedules() -> dict[str, list[str]]:
    """They are in one file, which needs no torch."""
    home = registry.module("quorate.learning.training.schedules")
    classes = {name: getattr(home, name.capitalize()) for name in SCHEDULES}
    return {
        "method": list(classes),
        "what it is": [(found.__doc__ or "").splitlines()[0] for found in classes.values()],
        "options": [_listed(registry.options_of(found)) for found in classes.values()],
    }


def _listed(options: dict[str, str]) -> str:
    return ", ".join(f"{option}={default}" for option, default in options.items() if option not in OBJECTS)
