"""Measures of predictions by group of items, as `train`, `predict` and `calibrate` show them."""

from collections.abc import Mapping
from typing import Any

from quorate.cli import console
from quorate.cli.options.output import Format

TITLES = {
    "items": "items with gold",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "macro_f1": "macro F1",
    "ece": "ECE (calibration)",
    "nll": "NLL (log-loss)",
    "brier": "Brier score",
    "votes": "votes",
    "votes_cross_entropy": "vote cross-entropy",
    "votes_through_workers": "... with confusions",
    "votes_log_likelihood": "log-likelihood of votes",
}
GROUPS = {"taught": "in training", "not taught": "not in training"}
COUNTS = ("items", "votes")
CROSS_ENTROPY = "vote cross-entropy (low is good): by the predictions alone, and with the confusions of each worker"


def show_scores(title: str, groups: Mapping[str, Mapping[str, float]], form: Format) -> None:
    """Print one column per group of items and one row per measure; a dot where a group has none."""
    names = [name for name in TITLES if any(name in scores for scores in groups.values())]
    if form is not Format.table:
        columns: dict[str, list[Any]] = {"score": names}
        console.rows(columns | {group: [scores.get(name) for name in names] for group, scores in groups.items()}, form)
        return
    shown = {"score": [TITLES[name] for name in names]}
    for group, scores in groups.items():
        shown[GROUPS.get(group, group)] = [
            f"{scores[name]:,.0f}" if name in COUNTS and name in scores else console.number(scores.get(name))
            for name in names
        ]
    console.table(title, shown, right=list(shown)[1:], wrap=list(shown)[1:])
    if "votes_through_workers" in names:
        console.line(CROSS_ENTROPY)
