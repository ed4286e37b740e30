"""Find ambiguous items and leave them out of training. Three classifiers vote on points of three circles.

    python examples/three_circles.py --alpha 0.1 --out three_circles.png

WAUM trains a network on every vote and finds the points where votes contradict what it learns. The most ambiguous
share is left out before a network is trained on the consensus. Needs scikit-learn, torch and matplotlib:
pip install 'quorate[deep,plots]'.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import aggregate, identify, prune
from quorate.ambiguity import Pruning
from quorate.learning import Mlp, Network, Recipe, Stacked, Steps
from quorate.metrics import accuracy, expected_calibration_error
from quorate.simulation import three_circles

COLOURS = np.array(["#2a6f97", "#e09f3e", "#5a9367"])
RED = "#d00000"


def network(**parts: Any) -> Network:
    """Build the network of the paper; WAUM observes it until the learning rate first drops."""
    recipe = Recipe(epochs=150, batch_size=64, optimiser="sgd", lr=0.1, weight_decay=5e-4, schedule=Steps(at=(50, 100)))
    return Network(base=Mlp(sizes=(30, 20, 20), scale="none"), recipe=recipe, **parts)


def draw(panels: dict[str, tuple[Any, NDArray[np.int64]]], pruning: Pruning, path: Path) -> None:
    """Draw each panel of points in the colours of their classes; points left out are red in the second panel."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.3), layout="constrained")
    for column, (axes, (title, (x, label))) in enumerate(zip(figure.subplots(1, 3), panels.items(), strict=True)):
        kept = pruning.kept if column == 1 else np.ones(len(x), dtype=bool)
        axes.scatter(*x[kept].T, s=14, lw=0, alpha=0.8, c=COLOURS[label[kept]])
        if column == 1:
            axes.scatter(*x[~kept].T, s=16, lw=1, marker="x", c=RED, label=f"left out ({np.sum(~kept)})")
            axes.legend(loc="upper left", frameon=False, handletextpad=0.2, borderaxespad=0)
        axes.set_title(title, loc="left", fontsize=10)
        axes.set(xticks=[], yticks=[], aspect="equal", xlim=(-3.6, 1.8), ylim=(-2.5, 1.9))
    figure.savefig(path, dpi=150)


def main() -> None:
    """Simulate votes, score and prune items, train with and without pruning, print and draw the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alpha", type=float, default=0.1, help="share of points to leave out")
    parser.add_argument("--seed", type=int, default=0, help="seed of the simulation")
    parser.add_argument("--out", type=Path, default=Path("three_circles.png"), help="file of the figure")
    arguments = parser.parse_args()
    circles = three_circles(seed=arguments.seed)
    votes = circles.votes
    consensus = aggregate(votes, "weighted_dawid_skene")
    for name, right in zip(votes.workers.tolist(), circles.worker_accuracy, strict=True):
        print(f"{name:<10} is right on {right:.0%} of the test points")
    scores = identify(votes, "waum", x=circles.x, learner=network(target=Stacked()), posterior=aggregate(votes))
    pruning = prune(votes, scores, arguments.alpha, posterior=consensus)
    everything = network().fit(circles.x, votes, consensus)
    rest = network().fit(circles.x[pruning.kept], pruning.votes, aggregate(pruning.votes, "weighted_dawid_skene"))
    wrong = consensus.labels != circles.gold
    print(f"the consensus is wrong on {wrong.mean():.0%} of the points, ", end="")
    print(f"and on {wrong[~pruning.kept].mean():.0%} of the {np.sum(~pruning.kept)} left out")
    print(f"\n{'network trained on WDS':24} {'accuracy on test points':>24} {'calibration error':>18}")
    for name, model in (("all points", everything), ("without ambiguous points", rest)):
        probs = model.predict_proba(circles.test_x)
        error = expected_calibration_error(probs, circles.test_gold)
        print(f"{name:24} {accuracy(probs, circles.test_gold):24.3f} {error:18.3f}")
    panels = {
        "Gold labels": (circles.x, circles.gold),
        "Consensus of the workers": (circles.x, consensus.labels),
        "Predictions on test points": (circles.test_x, rest.predict_proba(circles.test_x).argmax(axis=1)),
    }
    draw(panels, pruning, arguments.out)
    print(f"Written: {arguments.out}")


if __name__ == "__main__":
    main()
