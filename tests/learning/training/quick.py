"""A network that is trained in a moment, and whether two of them are the same."""

from collections.abc import Callable
from typing import Any

import numpy as np

from quorate.learning.bases.mlp import Mlp
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe
from quorate.typing import Array
from tests.learning.tiny import tiny

BASE = Mlp(sizes=(6,), dropout=0.2, batch_norm=True)
QUICK = Recipe(epochs=4, batch_size=8, lr=0.01)


def fitted(recipe: Recipe = QUICK, seed: int = 0, **options: Any) -> Network:
    x, votes, posterior = tiny()
    fit: dict[str, Any] = {name: options.pop(name) for name in ("valid", "on_epoch") if name in options}
    return Network(**({"base": BASE} | options), recipe=recipe, seed=seed).fit(x, votes, posterior, **fit)


def weights_of(network: Network) -> dict[str, Any]:
    return {name: weight.numpy().copy() for name, weight in network.layers_.state_dict().items()}


def same(a: Network, b: Network) -> bool:
    ours, theirs = weights_of(a), weights_of(b)
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


def raising(at: int) -> Callable[[int, Array], None]:
    """Return a callback that interrupts a training."""

    def on_epoch(epoch: int, probs: Array) -> None:
        if epoch == at:
            raise KeyError(epoch)

    return on_epoch
