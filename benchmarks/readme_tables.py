"""Table of results of the README, from the last full runs of several benchmarks."""

from typing import Any

import numpy as np

from benchmarks.decision.replays_tables import ENGINE, NEVER_TUNED
from benchmarks.tables import figures, results, table

WITHOUT_CLASSIFIER = ("dog", "temporal_snow", "bluebird")  # of the sets that were used in tuning
THREE_VOTES = "3 votes, dawid_skene"
Cell = dict[str, Any]


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    return {"readme results": results_table(), **{f"readme {name}": text for name, text in sentences().items()}}


def results_table() -> str:
    """Return a row for every question that the README answers with a figure."""
    heads = ["question", "Quorate", "baseline", "data", "command"]
    return table(heads, [*cost_rows(), consensus_row(), stated_row(), speed_row(), learning_row(), service_row()])


def cost_rows() -> list[list[str]]:
    """Return what deciding costs: relative to three votes per task, and to the best other policy in hindsight."""
    tuned, held_out = cells(tuned=True), cells(tuned=False)
    parts = {
        "used in tuning, with a classifier": [cell for cell in tuned if cell["row"] not in WITHOUT_CLASSIFIER],
        "used in tuning, without a classifier": [cell for cell in tuned if cell["row"] in WITHOUT_CLASSIFIER],
        "never used in tuning, without a classifier": held_out,
    }
    return [
        [
            "cost of votes plus errors",
            f"**{against_three_votes(part):.2f}**" if part is held_out else f"{against_three_votes(part):.2f}",
            f"three votes each: 1; best policy in hindsight: {best_in_hindsight(part):.2f}",
            f"{n_sets(part)} sets {title}",
            "`make replay`",
        ]
        for title, part in parts.items()
    ]


def consensus_row() -> list[str]:
    """Return how often the default is right, and how far its probabilities are from that."""
    values = figures("trust/consensus")

    def scores(way: str) -> str:
        return " / ".join(f"{values[f'{way}, no gold: {score}']:.3f}" for score in ("accuracy", "ECE"))

    return [
        "accuracy / calibration error (ECE)",
        f"**{scores('the default')}**",
        f"vote shares {scores('vote shares')}, crowd-kit's Dawid-Skene {scores('crowd-kit DawidSkene')}",
        f"{len(accuracy_rows()['ensemble']['details']['sets'])} sets of real votes",
        "`make bench NAME=trust`",
    ]


def speed_row() -> list[str]:
    """Return how long a round of Dawid-Skene takes."""
    speed = figures("aggregation/speed")
    ours, theirs = (
        speed[f"Dawid-Skene, 10,000,000 votes, K = 2: a round, {name}"] for name in ("Quorate", "crowd-kit")
    )
    return [
        "one EM round of Dawid-Skene, one thread",
        f"**{ours:.0f} ms**",
        f"crowd-kit 1.4: {theirs:,.0f} ms",
        "10 million simulated votes",
        "`make bench NAME=aggregation/speed`",
    ]


def stated_row() -> list[str]:
    """Return how far the stated error of accepted labels is from the true one, without an audit."""
    values = figures("trust/stated_errors")

    def ratio(group: str) -> str:
        close = values[f"{group}: pools within 2x of the true error"]
        return f"{values[f'{group}: stated / true error, median of pools']:.2f} ({close:.0%})"

    return [
        "stated / true error, no audit (within 2x)",
        f"**{ratio('set left out')}**",
        f"without the discount: {ratio('beliefs as they are')}",
        f"14 sets, each left out; 6 never used: {ratio('sets never used for tuning')}",
        "`make bench NAME=trust`",
    ]


def learning_row() -> list[str]:
    """Return the accuracy of a classifier trained from votes."""
    learning = {row["name"]: row for row in results("learning/classifiers")}
    majority = learning["labelme: CrowdLayer beats majority labels, by"]["details"]["without"]
    return [
        "test accuracy of a classifier from votes",
        f"**{learning['labelme: accuracy']['value']:.3f}**",
        f"a network on majority labels: {majority:.3f}",
        "LabelMe images, 2.5 votes each",
        "`make learn`",
    ]


def service_row() -> list[str]:
    """Return what a vote costs the server."""
    service = figures("service/suite")
    label_studio, potato = (service[f"{name}: server CPU per next + submit"] for name in ("Label Studio", "Potato"))
    return [
        "server CPU per vote",
        f"**{service['one at a time, 10,000 items: server CPU per voted item']:.1f} ms**",
        f"Label Studio 1.23: {label_studio:.0f} ms, Potato 2.12: {potato:.0f} ms",
        "one client, loopback, defaults",
        "`make service`",
    ]


def sentences() -> dict[str, str]:
    """Return the single figures that sentences of the README state."""
    default, majority = (accuracy_rows()[method]["details"]["sets"] for method in ("ensemble", "majority"))
    return {
        "default on ZenCrowd": f"{default['zencrowd_us']:.3f}",
        "majority on ZenCrowd": f"{majority['zencrowd_us']:.3f}",
    }


def accuracy_rows() -> dict[str, dict[str, Any]]:
    """Return the row of every aggregation method by its name."""
    title = "mean accuracy: "
    rows = results("aggregation/accuracy")
    return {row["details"]["method"]: row for row in rows if row["name"].startswith(title)}


def cells(*, tuned: bool) -> list[Cell]:
    """Return the replays without gold labels, on the sets that were used in tuning or on the others."""
    every = [cell for cell in results("decision/replays")["cells"] if cell["condition"] == "no gold"]
    return [cell for cell in every if (cell["row"] not in NEVER_TUNED) == tuned]


def n_sets(some: list[Cell]) -> int:
    """Return the number of sets in some cells."""
    return len({cell["row"] for cell in some})


def against_three_votes(some: list[Cell]) -> float:
    """Return the loss of the engine relative to three votes each, as a geometric mean."""
    return geometric_mean([cell["losses"][ENGINE] / cell["losses"][THREE_VOTES] for cell in some])


def best_in_hindsight(some: list[Cell]) -> float:
    """Return the loss of the best other policy of each cell relative to three votes each, as a geometric mean."""
    return geometric_mean([cell["losses"][cell["best"]] / cell["losses"][THREE_VOTES] for cell in some])


def geometric_mean(values: list[float]) -> float:
    """Return the geometric mean."""
    return float(np.exp(np.mean(np.log(values))))
