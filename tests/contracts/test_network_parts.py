"""Every part goes with every other: base x head x target x loss x step."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from quorate import registry
from quorate.learning.bases.linear import Linear
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.network import Network
from quorate.learning.steps.sam import Sam
from quorate.learning.training.recipe import Recipe
from tests.learning.tiny import tiny


def all_of(kind: str) -> list[Any]:
    return [registry.method(f"learning.{kind}", name) for name in registry.names(f"learning.{kind}")]


BASES: list[Any] = [Linear(), Mlp(sizes=(4,), batch_norm=True, dropout=0.1)]
TARGETS, LOSSES, STEPS = all_of("targets"), all_of("losses"), all_of("steps")
HEADS = [
    WeightedDoctorNet(second_epochs=1) if isinstance(head, WeightedDoctorNet) else head for head in all_of("heads")
]
DATA = tiny(n_tasks=12)


def trains(base: Any, head: Any, target: Any, loss: Any, **recipe: Any) -> None:
    x, votes, posterior = DATA
    options = Recipe(epochs=1, batch_size=8, **recipe)
    network = Network(base=base, head=head, target=target, loss=loss, recipe=options).fit(x, votes, posterior)
    assert np.all(np.isfinite(network.history_.losses))
    assert np.allclose(network.predict_proba(x).sum(axis=1), 1)


@pytest.mark.parametrize("head", HEADS, ids=lambda head: type(head).__name__)
@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
def test_every_target_and_loss(base: Any, head: Any) -> None:
    for target, loss in product(TARGETS, LOSSES):
        trains(base, head, target, loss)


@pytest.mark.parametrize("head", HEADS, ids=lambda head: type(head).__name__)
def test_every_step_mixture_and_balance(head: Any) -> None:
    """With one target and loss after another, so that each meets each."""
    for number, (step, mixup, balance) in enumerate(product(STEPS, (0.0, 0.4), ("none", "resample", "reweight"))):
        target, loss = TARGETS[number % len(TARGETS)], LOSSES[number % len(LOSSES)]
        trains(BASES[number % 2], head, target, loss, step=step, mixup=mixup, balance=balance)


@pytest.mark.parametrize("optimiser", ["adam", "adamw", "sgd"])
def test_every_optimiser(optimiser: Any) -> None:
    for head in HEADS:
        trains(BASES[1], head, TARGETS[0], LOSSES[0], optimiser=optimiser, weight_decay=0.01, step=Sam())
