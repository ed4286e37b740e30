"""Pictures of the page `figures`, from simulated votes: `python docs/draw_figures.py` draws them again."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from quorate import ItemScores, aggregate, plots, simulate_votes
from quorate.ambiguity import VoteEntropy
from quorate.plots import CostPoint, ForestRow

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

IMAGES = Path(__file__).parent / "images"
DPI = 80  # small files

CLASSES = ("ant", "bee", "cow", "dog")
crowd = simulate_votes(n_tasks=600, votes_per_task=7, classes=CLASSES, seed=1)
votes, gold = crowd.votes, crowd.gold
posterior = aggregate(votes)
entropy = VoteEntropy().score(votes, posterior)
top_two = np.sort(posterior.probs, axis=1)[:, -2:]
margin = ItemScores(name="margin", values=top_two[:, 1] - top_two[:, 0], ambiguous="low", tasks=votes.tasks)
models = {name: aggregate(votes, name).probs for name in ("majority", "naive_soft", "dawid_skene")}


def pictures() -> "NDArray[np.float64]":
    """Return a picture of each task, a shape by class with noise that grows with difficulty: (n_tasks, 16, 16)."""
    across, down = np.meshgrid(np.linspace(-1, 1, 16), np.linspace(-1, 1, 16))
    disc, cross = across**2 + down**2 < 0.5, np.minimum(abs(across), abs(down)) < 0.2
    frame, stripe = abs(np.maximum(abs(across), abs(down)) - 0.7) < 0.2, abs(across - down) < 0.4
    lost = crowd.difficulty[:, None, None]
    noise = np.random.default_rng(0).random((votes.n_tasks, 16, 16))
    return (1 - lost) * np.stack([disc, cross, frame, stripe])[gold] + lost * noise


def intervals() -> list[ForestRow]:
    """Return invented gains of pruning."""
    rng = np.random.default_rng(0)
    rows = []
    for group in ("one set", "another"):
        for method in ("majority", "dawid_skene", "glad"):
            mean, reach = rng.normal(0.005, 0.01), rng.uniform(0.005, 0.015)
            rows.append(ForestRow(method, mean, mean - reach, mean + reach, group))
    return rows


def policies() -> list[CostPoint]:
    """Return invented costs and errors of policies."""
    return [
        CostPoint("expected_loss", 2.1, 0.06, 0.06, 0.004),
        CostPoint("crowd_only", 3.4, 0.07, 0.08, 0.005),
        CostPoint("threshold", 1.9, 0.11, 0.05, 0.006),
        CostPoint("fixed_votes", 3.0, 0.12, 0.0, 0.006),
        CostPoint("fixed_votes:n=5", 5.0, 0.08, 0.0, 0.005),
        CostPoint("machine_only", 0.4, 0.2, 0.0, 0.008),
    ]


DRAWN: dict[str, Callable[[], "Figure"]] = {
    "reliability": lambda: plots.reliability(models, gold, bins=10),
    "risk_coverage": lambda: plots.risk_coverage(models, gold),
    "entropy_vs_waum": lambda: plots.entropy_vs_waum(entropy, margin, labels=posterior.label_names()),
    "worst_items": lambda: plots.worst_items(margin, posterior, pictures(), per_class=8),
    "votes_of_item": lambda: plots.votes_of_item(
        votes, int(margin.worst()[0]), picture=pictures()[margin.worst()[0]], posterior=posterior
    ),
    "effort_load_entropy": lambda: plots.effort_load_entropy(votes),
    "labels_by_worker": lambda: plots.labels_by_worker(votes),
    "cost_against_error": lambda: plots.cost_against_error(policies(), cost_error=50),
    "forest": lambda: plots.forest(intervals(), xlabel="gain in accuracy"),
}


def main() -> None:
    """Draw all pictures."""
    for name, draw in DRAWN.items():
        draw().savefig(IMAGES / f"{name}.png", dpi=DPI)


if __name__ == "__main__":
    main()
