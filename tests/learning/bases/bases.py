"""Helpers of the tests of several bases."""

import json
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import ArrayLike, NDArray

from quorate import Votes, aggregate
from quorate.errors import VotesError
from quorate.learning.learners.network import Network
from quorate.learning.training.protocols import Base
from quorate.learning.training.recipe import Recipe


def fitted(base: Base, x: Any, labels: ArrayLike, *, epochs: int = 5, lr: float = 1e-2, seed: int = 0) -> Network:
    """Fit a network on this base to the votes of one worker."""
    votes = Votes.from_matrix(np.asarray(labels)[:, None])
    network = Network(base=base, recipe=Recipe(epochs=epochs, lr=lr, batch_size=32, threads=1), seed=seed)
    return network.fit(x, votes, aggregate(votes, "majority"))


def learns_and_repeats(base: Base, x: Any, labels: ArrayLike, *, epochs: int = 5, lr: float = 1e-2) -> None:
    """Check that a network predicts its training labels, and that it is reproduced by the same seed only."""
    networks = [fitted(base, x, labels, epochs=epochs, lr=lr, seed=seed) for seed in (1, 1, 2)]
    first, again, other = (network.predict_proba(x) for network in networks)
    assert np.array_equal(first.argmax(axis=1), np.asarray(labels))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    spec = json.loads(json.dumps(networks[0].input_spec_))  # as in a saved model
    networks[0].input_spec_ = spec
    assert np.array_equal(networks[0].predict_proba(x), first)


def features(base: Base, x: Any, spec: dict[str, Any], seed: int = 0) -> NDArray[np.float32]:
    """Return the features of an untrained base in evaluation mode."""
    torch.manual_seed(seed)
    rows = base.rows(x, spec)
    with torch.no_grad():
        return base.build(spec).eval()(rows.take(torch.arange(len(rows)))).numpy()


def n_weights(base: Base, spec: dict[str, Any]) -> int:
    return sum(weight.numel() for weight in base.build(spec).parameters())


def refuses(base: Base, x: Any, message: str, spec: dict[str, Any] | None = None) -> None:
    """Check that x is rejected with a one-line message, by `learn` or, if `spec` is given, by `rows`."""
    check = base.learn if spec is None else lambda x: base.rows(x, spec)
    with pytest.raises(VotesError, match=message) as error:
        check(x)
    assert "\n" not in str(error.value)
