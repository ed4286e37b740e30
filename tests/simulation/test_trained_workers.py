"""Properties of all simulated sets of the WAUM paper: sizes, splits, who votes, and errors."""

import sys
from collections.abc import Callable

import numpy as np
import pytest

from quorate.errors import MethodError, MissingExtraError
from quorate.simulation.circles import three_circles
from quorate.simulation.moons import two_moons
from quorate.simulation.trained_workers import SimulatedItems
from quorate.simulation.worker_pool import many_workers
from tests.simulation.simulated import simulate_once

MAKERS: list[Callable[..., SimulatedItems]] = [three_circles, two_moons, many_workers]


@pytest.mark.parametrize(("make", "sizes"), [(three_circles, (525, 225, 3, 3)), (two_moons, (350, 150, 3, 2))])
def test_three_workers_vote_on_everything(make: Callable[..., SimulatedItems], sizes: tuple[int, ...]) -> None:
    items = simulate_once(make, 0)
    assert (len(items.x), len(items.test_x), items.votes.n_workers, items.votes.n_classes) == sizes
    assert items.x.shape[1] == items.test_x.shape[1] == 2
    assert np.all(items.votes.votes_per_task == 3)
    assert items.votes.workers.tolist() == ["linear_svc", "svc", "gbm"]
    assert len(items.gold) == len(items.x)
    everyone = np.concatenate([items.gold, items.test_gold])
    assert len(set(np.bincount(everyone))) == 1


@pytest.mark.parametrize("make", [three_circles, two_moons])
def test_the_same_seed_gives_the_same_set(make: Callable[..., SimulatedItems]) -> None:
    first, again, other = simulate_once(make, 1), make(seed=1), simulate_once(make, 2)
    for name in ("x", "gold", "test_x", "test_gold", "worker_accuracy"):
        assert np.array_equal(getattr(first, name), getattr(again, name))
    assert np.array_equal(first.votes.label, again.votes.label)
    assert not np.array_equal(first.x, other.x)


@pytest.mark.parametrize("make", MAKERS)
def test_errors_are_one_line(make: Callable[..., SimulatedItems], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MethodError, match="zero or more, got -1"):
        make(seed=-1)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'quorate\[learn\]'"):
        make()
