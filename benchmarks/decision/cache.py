"""Results of replays, kept on disk under a hash of the code that matters, so that a run continues where it stopped."""

import ast
import hashlib
import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Modules whose code can change what a replay gives. Others (files, frames, plots) are taken to be settled.
MATTERS = (
    "quorate.replay.pool",
    "quorate.replay.session",
    "quorate.replay.classifiers",
    "quorate.replay.vote_source",
    "quorate.replay.tuning",
    "quorate.data.costs",
    "quorate.decision.belief",
    "quorate.inference.class_balance",
    "quorate.decision",
    "quorate.aggregation",
    "quorate.inference.kernels",
    "quorate.inference.tuning",
    "quorate.inference.em",
    "quorate.inference.bayes",
    "quorate.learning.features",
    "quorate.learning.softmax",
    "benchmarks.decision.rows",
    "benchmarks.decision.features",
    "benchmarks.decision.average_value",
    "benchmarks.decision.tuned_stop",
)


def folder() -> Path:
    """Return the folder of the results: QUORATE_CACHE, or .cache/quorate at home."""
    return Path(os.environ.get("QUORATE_CACHE") or Path.home() / ".cache" / "quorate") / "replay"


def kept(path: Path, make: Callable[[], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file, computed if it does not exist; an interrupted run leaves no partial file."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.stem}-{os.getpid()}.tmp.npz")
        np.savez_compressed(unfinished, **make())  # type: ignore[arg-type]
        unfinished.replace(path)
    with np.load(path, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def fingerprint(modules: tuple[str, ...], *settings: object, without: frozenset[str] = frozenset()) -> str:
    """Return a hash of settings and of the code of modules, with everything that they import and that matters."""
    digest = hashlib.sha256(repr(settings).encode())
    for module in sorted(reached(modules, without)):
        digest.update(f"{module} {code_hash(module)}".encode())
    return digest.hexdigest()[:16]


@cache
def reached(modules: tuple[str, ...], without: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the modules and all that they import, directly or not, as far as they matter."""
    seen: set[str] = set()
    new = {*modules}
    while new:
        seen |= new
        new = {name for module in new for name in imports(module) if name.startswith(MATTERS)} - seen - without
    return frozenset(seen)


@cache
def code_hash(module: str) -> str:
    """Return a hash of the code of a module without comments, docstrings and line breaks."""
    tree = _Bare().visit(_tree(module))
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


@cache
def imports(module: str) -> frozenset[str]:
    """Return the modules that a module imports anywhere in its code."""
    return frozenset(name for node in ast.walk(_tree(module)) for name in _imported(node) if _source(name))


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _tree(module: str) -> ast.Module:
    path = _source(module)
    assert path is not None, module
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _source(module: str) -> Path | None:
    """Return the file of a module of this project; None if there is none, such as for a class."""
    if not module.startswith(("quorate.", "benchmarks.")):
        return None
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None


class _Bare(ast.NodeTransformer):
    """Drops docstrings."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Drop a statement that is only a string."""
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node
