"""What tests of several bases use."""

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
    """A network on this base, taught by one voter who says these labels."""
    votes = Votes.from_matrix(np.asarray(labels)[:, None])
    network = Network(base=base, recipe=Recipe(epochs=epochs, lr=lr, batch_size=32, threads=1), seed=seed)
    return network.fit(x, votes, aggregate(votes, "majority"))


def learns_and_repeats(base: Base, x: Any, labels: ArrayLike, *, epochs: int = 5, lr: float = 1e-2) -> None:
    """It comes to say the labels that it is taught; the same seed gives the same network, another seed another."""
    networks = [fitted(base, x, labels, epochs=epochs, lr=lr, seed=seed) for seed in (1, 1, 2)]
    first, again, other = (network.predict_proba(x) for network in networks)
    assert np.array_equal(first.argmax(axis=1), np.asarray(labels))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    known = json.loads(json.dumps(networks[0].input_spec_))  # as a file has it
    networks[0].input_spec_ = known
    assert np.array_equal(networks[0].predict_proba(x), first)


def features(base: Base, x: Any, known: dict[str, Any], seed: int = 0) -> NDArray[np.float32]:
    """What an untrained base makes of all items at once, in evaluation mode."""
    torch.manual_seed(seed)
    rows = base.rows(x, known)
    with torch.no_grad():
        return base.build(known).eval()(rows.take(torch.arange(len(rows)))).numpy()


def n_weights(base: Base, known: dict[str, Any]) -> int:
    return sum(weight.numel() for weight in base.build(known).parameters())


def refuses(base: Base, x: Any, why: str, known: dict[str, Any] | None = None) -> None:
    """Such x is refused in one line: where the base learns, or where it is to predict by what is known."""
    look = base.learn if known is None else lambda x: base.rows(x, known)
    with pytest.raises(VotesError, match=why) as error:
        look(x)
    assert "\n" not in str(error.value)
