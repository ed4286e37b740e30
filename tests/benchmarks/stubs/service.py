"""Benchmarks of the service without servers, databases and people."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.harness import Child, Figures
from benchmarks.service import demo, faults, files, forecast, hot_path, load, peers, suite
from benchmarks.service.cycles import Cycles
from benchmarks.service.forecast_runs import MOMENTS, Comparison
from tests.benchmarks.stubs import Measure, Stub, always, replace_all

CYCLES = Cycles(100.0, 1.0, [1.0, 2.0], [1.0, 2.0])


@contextmanager
def nothing(*_: object, **__: object) -> Iterator[Any]:
    """Open no server and no database."""
    yield SimpleNamespace(port=0)


def demo_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    fixed = {5: SimpleNamespace(votes=500, error=0.1)}
    numbers = {"votes": 100, "error": 0.01, "spent": 100.0, "share_of_votes": 0.2, "expert_votes": 1, "seconds": 1.0}
    monkeypatch.setattr(demo, "run_demo", lambda seed: SimpleNamespace(seed=seed, fixed=fixed, **numbers))
    return demo.measure


def faults_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Kill nothing; what is checked at the end does not depend on the number of kills."""
    server = SimpleNamespace(wait=always(None), stop=always(None), port=0)
    replace_all(monkeypatch, faults, open_store=nothing, make_pool=always(None), launch=always(server))
    monkeypatch.setattr(faults, "_kill_often", lambda site, folder, pool, kills: ([1.0] * kills, 0))
    monkeypatch.setattr(faults, "_check", lambda figures, *_: figures.add("rules broken", 0, "", most=0))
    return faults.measure


def files_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    monkeypatch.setattr(files, "call_in_child", always(Child(1.0, 10.0)))
    return files.measure


def forecast_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Forecast what comes true; nothing is shown in the first project of one kind of pool."""
    band = {"low": 900.0, "value": 1000.0, "high": 1100.0}
    shown = {"votes": band, "spend": band}
    truth = {"votes": 1000.0, "spend": 1000.0}

    def compare(name: str, seed: int) -> list[Comparison]:
        if (name, seed) == ("easy at once", forecast.SEEDS[0]):
            return []
        return [Comparison(name, seed, moment, shown, shown | {"made_at": 100}, truth) for moment in MOMENTS]

    monkeypatch.setattr(forecast, "compare_forecasts", compare)
    return forecast.measure


def hot_path_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    def served(folder: Path, n_items: int, stack: object) -> SimpleNamespace:
        return SimpleNamespace(n_items=n_items, run=always(CYCLES))

    bare: Callable[[], Cycles] = lambda: CYCLES  # noqa: E731
    replace_all(monkeypatch, hot_path, _served=served, _bare=always(bare), slowness=always(1.0))
    return hot_path.measure


def load_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Let nobody work; what is checked at the end does not depend on how long they did."""
    seen = load.Load(waits=[1.0], acknowledged=["key"])
    pool = SimpleNamespace(project=1)
    replace_all(monkeypatch, load, open_store=nothing, run_service=nothing, postgres=nothing)
    replace_all(monkeypatch, load, _pools=always([pool, pool, pool]), _load=always(seen))
    monkeypatch.setattr(
        load, "_check", lambda figures, name, *_: figures.add(f"{name}: budgets overrun", 0, "", most=0)
    )
    return load.measure


def peers_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Find every peer installed."""
    replace_all(monkeypatch, peers, label_studio=always(CYCLES), potato=always(CYCLES))
    monkeypatch.setattr(peers, "peers_folder", always(AllThere("peers")))
    return peers.measure


class AllThere(type(Path())):  # type: ignore[misc]
    """A path at which everything exists."""

    def exists(self, **_: object) -> bool:
        return True


def suite_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Run all parts, with a peer that is installed."""
    for stub in (demo_measure, faults_measure, files_measure, hot_path_measure, load_measure, peers_measure):
        stub(monkeypatch)

    def measure(figures: Figures, quick: bool) -> None:
        suite.measure(figures, quick)
        assert "one at a time: voted items per second, in Label Studio's" in [name for name, _ in figures.names()]

    return measure


STUBS: dict[str, Stub] = {
    "service/demo": demo_measure,
    "service/faults": faults_measure,
    "service/files": files_measure,
    "service/forecast": forecast_measure,
    "service/hot_path": hot_path_measure,
    "service/load": load_measure,
    "service/peers": peers_measure,
    "service/suite": suite_measure,
}
