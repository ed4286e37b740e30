"""The table of replays on a small made-up set: run, stopped, gone on with; and how ratios are made."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchmarks.decision import audit_runs, cache, cells, features, forecast, rows, runs
from benchmarks.decision import replays as benchmark
from benchmarks.decision.cache import code_hash, fingerprint, reached
from benchmarks.decision.cells import Ratio, Replays, ratio
from benchmarks.decision.contestants import CONTESTANTS, ENGINE, modules, replaced
from benchmarks.decision.rows import Row, drawn, pool
from benchmarks.decision.runs import NO_GOLD, PERFECT, Job, result
from benchmarks.harness import Figures
from quorate import simulate_votes
from quorate.data.costs import Costs
from quorate.decision.fusion.product import Product
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.replay.classifiers import FixedClassifier, IncrementalClassifier
from quorate.replay.pool import replay

TINY = Row("tiny")
FEW = [ENGINE, "machine only", "crowd only", "5 votes, majority"]


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A set of 60 texts, each with a word of its class, that is the only row; gold of 10 is given away."""
    crowd = simulate_votes(n_tasks=60, votes_per_task=5, workers={"reliable": 8}, seed=0)
    votes, folder = crowd.votes, tmp_path / "sets" / "tiny"
    folder.mkdir(parents=True)
    tasks = [f"t{task}" for task in range(60)]
    (folder / "classes.txt").write_text("no\nyes\n")
    pl.DataFrame(
        {"task": [tasks[task] for task in votes.task], "worker": votes.worker, "label": votes.label}
    ).write_csv(folder / "votes.csv")
    pl.DataFrame({"task": tasks, "label": crowd.gold}).write_csv(folder / "truth.csv")
    words = ["bad dull slow", "good bright quick"]
    texts = [f"{words[label]} text {task % 7}" for task, label in enumerate(crowd.gold)]
    pl.DataFrame({"task": tasks, "text": texts}).write_csv(folder / "items.csv")
    monkeypatch.setenv("QUORATE_DATA", str(tmp_path / "sets"))
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(benchmark, "ROWS", (TINY,))
    monkeypatch.setattr(rows, "ENOUGH_GOLD", 50)
    monkeypatch.setattr(rows, "N_GOLD", 10)
    monkeypatch.setattr(runs, "slowness", lambda: 1.0)
    monkeypatch.setattr(features, "_encoded", lambda texts: np.array([[float(len(text))] for text in texts]))
    for kept in (rows.source, rows.drawn, rows.pool, cells.replays):
        kept.cache_clear()
    yield tmp_path / "cache"
    for kept in (rows.source, rows.drawn, rows.pool, cells.replays):
        kept.cache_clear()


def options(**changes: object) -> benchmark.Options:
    return replace(benchmark.Options(rows=[TINY], policies=FEW, seeds=2, jobs=1), **changes)  # type: ignore[arg-type]


def test_without_the_sets_it_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUORATE_DATA", raising=False)
    with pytest.raises(SystemExit, match="QUORATE_DATA is not set"):
        benchmark.measure(Figures(), options())


@pytest.mark.long
def test_a_run_is_read_from_disk_the_second_time(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = benchmark.measure(Figures(), options())
    assert {cell.condition for cell in first} == {"no gold", "200 gold"}
    assert all(0 < cell.losses[ENGINE] < 5 + cell.error_cost for cell in first)
    cells.replays.cache_clear()
    monkeypatch.setattr(runs, "replay", None)  # whoever replays anything now fails
    assert benchmark.measure(Figures(), options()) == first


@pytest.mark.long
def test_a_run_that_was_stopped_goes_on(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [job for job in benchmark.planned(options()) if job.seed == 0]
    runs.run_all(jobs[:5])
    there = {path: path.stat().st_mtime_ns for path in tiny.rglob("*-0-*.npz")}
    assert len(there) == 5
    runs.run_all(jobs)
    assert {path: path.stat().st_mtime_ns for path in there} == there
    assert len([*tiny.rglob("*-0-*.npz")]) == len(jobs)


def test_other_code_is_run_again(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(TINY, 0, NO_GOLD, ENGINE, 20)
    before = result(job)
    monkeypatch.setattr(cache, "code_hash", lambda module: f"other {module}")
    assert np.array_equal(result(job).votes, before.votes)
    assert len([*tiny.rglob("*engine*.npz")]) == 2


def test_what_a_module_does_is_hashed_not_how_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hashed(code: str) -> str:
        path = tmp_path / "module.py"
        path.write_text(code)
        monkeypatch.setattr(cache, "_source", lambda _: path)
        code_hash.cache_clear()
        return code_hash("some.module")

    told = hashed('"""Adds."""\n\ndef add(a, b):\n    """The sum."""\n    return a + b  # of both\n')
    assert told == hashed("def add(a, b):\n    return (a + b)\n")
    assert told != hashed("def add(a, b):\n    return a - b\n")
    code_hash.cache_clear()


def test_code_that_matters_is_named_as_it_is_now() -> None:
    named = {*cache.MATTERS, *audit_runs.MODULES, *forecast.MATTERS}
    assert [name for name in named if cache._source(name) is None] == []
    assert {"benchmarks.decision.rows", "benchmarks.decision.features"} <= reached(("benchmarks.decision.rows",))


def test_only_code_that_is_used_counts() -> None:
    engine = ExpectedLoss(costs=Costs.of_error(5, 2))
    usual = type(engine.fusion).__module__
    assert {usual, "quorate.decision.lookahead.value"} <= reached(modules(engine), replaced(engine))
    assert replaced(engine) == frozenset()
    product = replace(engine, fusion=Product())
    assert replaced(product) == {usual}
    found = reached(modules(product), replaced(product))
    assert Product.__module__ in found
    assert usual not in found
    majority = CONTESTANTS["5 votes, majority"].make(Costs.of_error(5, 2))
    assert "quorate.decision.lookahead.value" not in reached(modules(majority), replaced(majority))
    assert fingerprint(("quorate.replay.pool",), 1) != fingerprint(("quorate.replay.pool",), 2)


@pytest.mark.parametrize("name", [name for name, one in CONTESTANTS.items() if not one.asks_cost])
def test_policies_that_do_not_ask_for_the_cost_do_the_same_at_any(tiny: Path, name: str) -> None:
    asked = pool(TINY, 0)
    runs = [
        replay(CONTESTANTS[name].make(Costs.of_error(cost, 2)), asked.votes, asked.gold, asked.machine)
        for cost in (5, 500)
    ]
    assert np.array_equal(runs[0].votes, runs[1].votes)
    assert np.array_equal(runs[0].label, runs[1].label)


def test_pools_and_their_machines(tiny: Path) -> None:
    with_gold = drawn(TINY, 0, True)
    assert with_gold is not None
    assert with_gold.known is not None
    assert (with_gold.known >= 0).sum() == 10
    own, shuffled, perfect = (pool(TINY, 0, machine=kind).machine for kind in ("own", "shuffled", "perfect"))
    assert isinstance(own, IncrementalClassifier)
    assert isinstance(shuffled, IncrementalClassifier)
    assert isinstance(perfect, FixedClassifier)
    assert not np.array_equal(own.x, shuffled.x)
    np.testing.assert_allclose(np.sort(own.x, axis=0), np.sort(shuffled.x, axis=0), atol=1e-12)
    assert np.array_equal(perfect.probs.argmax(axis=1), pool(TINY, 0).gold)
    assert perfect.probs.max(axis=1) == pytest.approx(0.98)


def test_first_votes_are_those_of_the_warm_up(tiny: Path) -> None:
    run = result(Job(TINY, 0, PERFECT, ENGINE, 20))
    policy = CONTESTANTS[ENGINE].make(Costs.of_error(20, 2))
    warm_up = policy.warm_up(60, {"machine": np.eye(2)[pool(TINY, 0).gold]})
    assert run.first_votes == warm_up.tasks * warm_up.votes > 0
    assert run.votes.sum() >= run.first_votes


def cell_of(total: list[float], times: float = 1.0) -> Replays:
    """As many votes as the totals say, no errors; every item was in so many pools."""
    count = np.full(len(total), times)
    return Replays(count, times * np.array(total), np.zeros(len(total)), 5, seconds=0, later_votes=0)


def test_ratios_are_paired_by_item() -> None:
    rng = np.random.default_rng(0)
    loss = [*rng.integers(0, 50, 200).astype(float)]
    same = ratio(cell_of(loss), cell_of(loss))
    assert (same.value, same.low, same.high, same.verdict) == (1, 1, 1, "tie")
    twice = ratio(cell_of([2 * one for one in loss]), cell_of(loss))
    assert (twice.value, twice.verdict, twice.within_noise) == (2, "loss", False)
    assert twice.low == pytest.approx(2)


def test_an_item_in_many_pools_is_one_item() -> None:
    rng = np.random.default_rng(0)
    ours, theirs = ([*rng.random(100)] for _ in range(2))
    once, often = (ratio(cell_of(ours, times), cell_of(theirs, times)) for times in (1, 10))
    assert (once.low, once.high) == pytest.approx((often.low, often.high), rel=1e-4)
    wide = once.high - once.low
    assert wide == pytest.approx(2 * 1.96 * np.sqrt(2 * (1 / 12) / 100) / 0.5, rel=0.25)  # of uniform numbers


def test_noise_is_what_reaches_three_percent() -> None:
    assert Ratio(1.2, 1.02, 1.4).within_noise
    assert not Ratio(1.2, 1.04, 1.4).within_noise
    assert [Ratio(1, low, high).verdict for low, high in ((0.8, 0.9), (0.9, 1.1), (1.1, 1.2))] == ["win", "tie", "loss"]


def test_the_command_line_chooses_rows_and_policies() -> None:
    chosen, out = benchmark.parsed(["--rows", "cifar10h,dog", "--policies", "crowd only", "--seeds", "3"])
    assert [row.data for row in chosen.rows] == ["cifar10h"] * 3 + ["dog"]
    assert (chosen.policies, chosen.seeds, out) == ([ENGINE, "crowd only"], 3, None)
    assert len(benchmark.parsed(["--unseen"])[0].rows) == 20


@pytest.mark.long
def test_the_small_result_file_says_how_it_was_made(tiny: Path) -> None:
    figures = Figures()
    cells = benchmark.measure(figures, options(policies=[ENGINE, "crowd only"], seeds=1))
    content = json.loads(benchmark.written(benchmark.to_json(figures, cells, options())))
    assert [row["name"] for row in content["figures"]] == [row["name"] for row in figures.rows]
    assert content["cells"][0]["losses"].keys() == {ENGINE, "crowd only"}
    assert benchmark.command(["--quick", "--json", "out.json", "--jobs", "1"]) == (
        "python -m benchmarks.decision.replays --quick --jobs 1"
    )
    assert {"command", "commit", "date", "seeds"} <= content.keys()
