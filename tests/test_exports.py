"""What `import quorate` and its packages promise: they are light, and no module hides an export of the same name."""

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest

import quorate
from quorate import registry

ROOT = Path(quorate.__path__[0])
EXPORTING = sorted(  # packages that declare what they export
    ".".join(path.parent.relative_to(ROOT.parent).parts)
    for path in ROOT.rglob("__init__.py")
    if re.search(r"^__all__ = |= lazy_exports\(", path.read_text(encoding="utf-8"), re.MULTILINE)
)
FOR_USERS = [
    "aggregation",
    "ambiguity",
    "audit",
    "calibration",
    "client",
    "data",
    "decision",
    "forecasts",
    "io",
    "learning",
    "metrics",
    "plots",
    "quality",
    "replay",
    "simulation",
]
MODULES = {("quorate", "datasets")}  # exports that are modules
HEAVY = ["torch", "numba", "sklearn", "dask", "matplotlib", "fastapi", "scipy", "polars", "pandas", "pyarrow"]


def test_import_is_light() -> None:
    code = f"import sys, quorate; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_import_of_learning_does_not_import_torch() -> None:
    code = "import sys, quorate.learning; quorate.learning.Linear; print('torch' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def import_everything() -> None:
    for module in pkgutil.walk_packages(quorate.__path__, "quorate."):
        import_module(module.name)


def declared_imports(package: ModuleType) -> dict[str, tuple[str, str]]:
    """Return what an `__init__` file imports of Quorate, also if for type checkers only: name -> module, attribute."""
    assert package.__file__ is not None
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    imports = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("quorate")
        for alias in node.names
    }
    return {name.removeprefix("_"): value for name, value in imports.items()}  # LinearBase = _LinearBase


def test_packages_for_users_declare_their_exports() -> None:
    assert {f"quorate.{name}" for name in FOR_USERS} <= set(EXPORTING)


@pytest.mark.parametrize("name", EXPORTING)
def test_exports_are_what_they_are_declared_to_be(name: str) -> None:
    """Type checkers and Python see the same objects, also after every module was imported."""
    import_everything()
    package = import_module(name)
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert not modules & set(package.__all__), "a module has the name of an export: rename the module"
    declared = declared_imports(package)
    assert set(package.__all__) <= set(declared) & set(dir(package))
    for export in package.__all__:
        home, attribute = declared[export]
        result = getattr(package, export)
        if (name, export) in MODULES:
            assert result is import_module(f"{home}.{attribute}")
        else:
            assert result is getattr(import_module(home), attribute)
            assert not inspect.ismodule(result)


@pytest.mark.parametrize("name", EXPORTING)
def test_lazy_exports_are_all_of_the_exports(name: str) -> None:
    package = import_module(name)
    if hasattr(package, "_EXPORTS"):
        assert set(package._EXPORTS) <= set(package.__all__)
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            _ = package.nothing


@pytest.mark.parametrize("name", EXPORTING)
def test_dir_shows_exports_only(name: str) -> None:
    package = import_module(name)
    assert {shown for shown in dir(package) if not shown.startswith("__")} == set(package.__all__)


@pytest.mark.parametrize("folder", registry.FOLDERS)
def test_every_method_class_is_exported_by_its_package(folder: str) -> None:
    package = import_module(f"quorate.{folder}")
    classes = {registry.class_name(name) for name in registry.names(folder)}
    assert classes <= set(package.__all__)
    for name in classes:
        assert getattr(package, name).__module__.startswith(f"quorate.{folder}.")
    above = import_module(f"quorate.{folder.partition('.')[0]}")
    assert classes - set(above.__all__) <= {"Plain"}  # a head and a step


def test_star_imports_take_the_method_classes() -> None:
    scope: dict[str, object] = {}
    exec("from quorate.aggregation import *", scope)
    assert {"DawidSkene", "Majority"} <= set(scope)


def test_no_module_hides_an_export(tmp_path: Path) -> None:
    """Import every module, then call every export: one that a module replaced would fail."""
    import_everything()
    votes = quorate.Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    posterior = quorate.aggregate(votes)
    path, gold_path = tmp_path / "votes.csv", tmp_path / "gold.csv"
    quorate.write_votes(votes, path)
    quorate.write_posterior(posterior, gold_path)
    gold = quorate.read_gold(gold_path, votes)
    items_path = tmp_path / "items.csv"
    items_path.write_text("task,a\n0,1\n1,2\n")
    decisions = quorate.decide(votes, cost_error=5)
    trained = quorate.train(items_path, path)
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
        "methods": "dawid_skene" in quorate.methods()["name"],
        "predict": quorate.predict(trained.learner, items_path).labels.tolist() == [0, 1],
        "prune": quorate.prune(votes, quorate.identify(votes, "margin"), 0.0).kept.all(),
        "read_gold": np.array_equal(gold, [0, 1]),
        "read_items": quorate.read_items(items_path).x.tolist() == [[1.0], [2.0]],
        "read_votes": len(quorate.read_votes(path)) == 6,
        "simulate_votes": len(quorate.simulate_votes(n_tasks=3).votes) == 15,
        "train": trained.predictions.labels.tolist() == [0, 1],
        "try_policies": quorate.try_policies(votes, gold, ["fixed_votes"], seeds=1).votes.tolist() == [[3.0]],
        "workers": isinstance(quorate.workers(votes), pl.DataFrame),
        "write_posterior": gold_path.exists(),
        "write_votes": path.exists(),
    }
    assert set(called) == set(quorate.__all__)
    assert all(called.values()), called
