"""Benchmarks of decisions without replays and real sets."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.decision import (
    audit,
    budget,
    cells,
    certificates,
    experts,
    forecast,
    replays,
    rows,
    screening,
    speed,
    stated_errors,
    targets,
)
from benchmarks.decision.cells import Ratio
from benchmarks.decision.forecast import Case, Held
from benchmarks.decision.rows import Row, Source
from benchmarks.decision.runs import Run
from benchmarks.harness import Figures
from quorate import simulate_votes
from quorate.io import datasets
from tests.benchmarks.stubs import Measure, Stub, always, replace_all

N_ITEMS = 800  # enough to give gold away
CROWD = simulate_votes(n_tasks=N_ITEMS, votes_per_task=3, seed=0)
STATED = SimpleNamespace(low=0.0, high=1.0, bound=1.0)


def source(row: Row) -> Source:
    """Return one simulated set for every row, with features for rows that have no classifier."""
    features = None if row.machine or row.data == "bluebird" else np.zeros((N_ITEMS, 1))
    return Source(np.arange(N_ITEMS), CROWD.votes, CROWD.gold, features=features)


def audit_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    replace_all(monkeypatch, audit, choice=always(25), loss=always(1.0))
    return audit.measure


def budget_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Replay without replaying: a stream in which a drift is noticed by the first seed only."""
    loss = np.ones(budget.MOST_ITEMS)
    done = SimpleNamespace(loss=loss, spent=loss, decided=loss)

    def replay_stream(policy: object, votes: object, gold: object, *_: object, seed: int) -> SimpleNamespace:
        place = np.arange(N_ITEMS)
        alarms = [N_ITEMS // 2 + 50] if seed == 0 else []
        ones = np.ones(N_ITEMS)
        return SimpleNamespace(loss=ones, spent=ones, position=place, alarms=alarms, by_part=always(np.ones(4)))

    replace_all(monkeypatch, budget, source=source, replay=always(done), replay_budget=always(done))
    monkeypatch.setattr(budget, "replay_stream", replay_stream)
    return budget.measure


def certificates_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Audit two hundred labels of a simulated set; every bound and every interval is the same."""
    probs = np.where(np.eye(2, dtype=bool)[CROWD.gold], 0.9, 0.1)
    data = SimpleNamespace(
        votes=CROWD.votes,
        gold=np.where(np.arange(N_ITEMS) % 10, CROWD.gold, 1 - CROWD.gold),
        classes=("a", "b"),
        machines=dict.fromkeys(certificates.MACHINES, probs),
    )
    gold = np.arange(N_ITEMS) % 10  # bound_missed is asked for classes 3 and 8
    labels = np.where(np.arange(N_ITEMS) % 7, gold, 0)
    monkeypatch.setattr(datasets, "load", always(data))
    monkeypatch.setattr(certificates, "machine", always((labels, np.linspace(0, 1, N_ITEMS), gold)))
    watch = SimpleNamespace(drifts=[1], starts=[0, 510], tell=always(None))
    replace_all(
        monkeypatch,
        certificates,
        state_error_of=always(STATED),
        state_cost=always(STATED),
        certify=always(SimpleNamespace(threshold=0.5)),
        ever_broken=always(False),
        stake=always(np.zeros(1)),
        binom=SimpleNamespace(cdf=always(np.ones(1))),
        chance_violated=always(0.05),
        bound_missed=always(STATED),
        audits_until=always(np.array([100, 200])),
        Watch=always(watch),
    )
    return certificates.measure


def experts_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    monkeypatch.setattr(experts, "losses", always({experts.VALUE: (1.0, 0.1), experts.NO_EXPERTS: (2.0, 0.0)}))
    return experts.measure


def forecast_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    def held(case: Case) -> Held:
        kind = "given" if case.fixed or case.row.machine else "none" if case.row.data == "bluebird" else "learning"
        return Held(case, kind, 100, np.array([90, 100, 110]), np.array([45.0, 55.0]), 100, 0.1)  # type: ignore[arg-type]

    replace_all(monkeypatch, forecast, held=held, source=source)
    return forecast.measure


def replays_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Read the options of the command line, and add the figures of replays in which nothing differs."""
    drawn, added_up = rows.drawn.__wrapped__, cells.replays.__wrapped__  # what is cached must not outlive the test
    replayed = Run(np.ones(N_ITEMS, dtype=np.int64), np.zeros(N_ITEMS, dtype=bool), 10, 1.0)
    for module in (rows, cells, targets):
        monkeypatch.setattr(module, "source", source)
    for module in (cells, targets):
        monkeypatch.setattr(module, "ratio", always(Ratio(1.0, 0.9, 1.1)))
        monkeypatch.setattr(module, "replays", added_up)
    for module in (cells, replays):
        monkeypatch.setattr(module, "drawn", drawn)
    monkeypatch.setattr(cells, "result", always(replayed))
    replace_all(monkeypatch, replays, run_all=always(None), measure_ece=measure_ece)

    def measure(figures: Figures, quick: bool) -> None:
        replays.measure(figures, replays.parsed(["--quick"] if quick else [])[0])

    return measure


def measure_ece(figures: Figures, chosen: list[Row], seeds: int) -> None:
    for row in chosen:
        figures.add(f"{row.name}: ECE", 0.01, "", most=0.02)


def screening_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    replace_all(monkeypatch, screening, play=always(screening.Loss(1.0, 1.0, 1.0)))
    monkeypatch.setattr(screening.Pool, "drawn", always(None))
    return screening.measure


def speed_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    replace_all(monkeypatch, speed, a_pool=partial(lambda make, _: make(50), speed.a_pool), one_decision=always(0.001))
    replace_all(monkeypatch, speed, best_cpu=always(1.0), slowness=always(1.0), gather_seconds=always(1.0))
    return speed.measure


def stated_errors_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    ended = stated_errors.Ended(judged=True, taught=True, believed=0.1, wrong=0.1)
    monkeypatch.setattr(stated_errors, "at_the_end", lambda row, seed: replace(ended, taught=seed > 0))
    return stated_errors.measure


STUBS: dict[str, Stub] = {
    "decision/audit": audit_measure,
    "decision/budget": budget_measure,
    "decision/certificates": certificates_measure,
    "decision/experts": experts_measure,
    "decision/forecast": forecast_measure,
    "decision/replays": replays_measure,
    "decision/screening": screening_measure,
    "decision/speed": speed_measure,
    "decision/stated_errors": stated_errors_measure,
}
