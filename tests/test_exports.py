"""What `import quorate` promises: it is light, and no module hides a function of the same name."""

import inspect
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import quorate

HEAVY = ["torch", "numba", "sklearn", "dask", "matplotlib", "fastapi", "scipy", "polars", "pandas", "pyarrow"]


def test_import_is_light() -> None:
    code = f"import sys, quorate; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_no_module_hides_an_export(tmp_path: Path) -> None:
    """Every module is imported; then every export is called, so one that became a module would show."""
    for module in pkgutil.walk_packages(quorate.__path__, "quorate."):
        import_module(module.name)
    votes = quorate.Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    posterior = quorate.aggregate(votes)
    path, gold_path = tmp_path / "votes.csv", tmp_path / "gold.csv"
    quorate.write_votes(votes, path)
    quorate.write_posterior(posterior, gold_path)
    gold = quorate.read_gold(gold_path, votes)
    items_path = tmp_path / "items.csv"
    items_path.write_text("task,a\n0,1\n1,2\n")
    decisions = quorate.decide(votes, cost_error=5)
    called = {
        "Client": callable(quorate.Client),
        "Costs": quorate.Costs.of_error(5, 2).even == 5,
        "Decisions": isinstance(decisions, quorate.Decisions),
        "Prices": quorate.Prices().kinds == ("crowd",),
        "decide": decisions.label.tolist() == [0, 1],
        "Posterior": isinstance(posterior, quorate.Posterior),
        "QuorateError": issubclass(quorate.QuorateError, Exception),
        "Votes": len(votes) == 6,
        "aggregate": posterior.labels.tolist() == [0, 1],
        "agreement": quorate.agreement(votes)["unanimous_tasks"] == 0.5,
        "calibrate": not quorate.calibrate([[0.9, 0.1], [0.2, 0.8]], [0, 1]).helped,
        "certify": quorate.certify(decisions, gold).n_certified == 2,  # all were audited, and are right
        "compare": len(quorate.compare(votes, gold)) >= 6,
        "copies": len(quorate.copies(votes)) == 0,
        "datasets": inspect.ismodule(quorate.datasets),
        "ItemScores": isinstance(quorate.identify(votes, "margin"), quorate.ItemScores),
        "forecast": quorate.forecast(votes, cost_error=0.5, prices={"crowd": 1}).votes.value == 6,
        "identify": quorate.identify(votes, "vote_entropy").ambiguous == "high",
        "items": quorate.items(votes)["votes"].to_list() == [3, 3],
        "join": quorate.join(votes, quorate.aggregate(votes)).probs.shape == (votes.n_tasks, votes.n_classes),
        "prune": quorate.prune(votes, quorate.identify(votes, "margin"), 0.0).kept.all(),
        "read_gold": np.array_equal(gold, [0, 1]),
        "read_items": quorate.read_items(items_path).x.tolist() == [[1.0], [2.0]],
        "read_votes": len(quorate.read_votes(path)) == 6,
        "simulate_votes": len(quorate.simulate_votes(n_tasks=3).votes) == 15,
        "try_policies": quorate.try_policies(votes, gold, ["fixed_votes"], seeds=1).votes.tolist() == [[3.0]],
        "workers": isinstance(quorate.workers(votes), pl.DataFrame),
        "write_posterior": gold_path.exists(),
        "write_votes": path.exists(),
    }
    assert set(called) == set(quorate.__all__)
    assert all(called.values()), called


def test_no_module_has_the_name_of_an_export() -> None:
    modules = {module.name for module in pkgutil.iter_modules(quorate.__path__)}
    assert not modules & set(quorate.__all__)


def test_the_two_lists_of_exports_are_the_same() -> None:
    assert sorted(quorate._EXPORTS) == quorate.__all__
    assert set(quorate.__all__) <= set(dir(quorate))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = quorate.nothing
