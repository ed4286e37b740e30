"""Which tests a run takes: the usual ones, the long ones (`--long`), or those of the library alone (`--library`)."""

import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

from tests.sizes import VARIABLE

ROOT = Path(__file__).parent.parent
NEEDS_TORCH = "needs torch: pip install 'quorate[deep]'"
OUTSIDE_LIBRARY = (
    "docs/draw_pages.py",
    "docs/pages.py",
    "docs/service_pages.py",
    "docs/write_tables.py",
    "tests/benchmarks",
    "tests/client",
    "tests/examples",
    "tests/pages",
    "tests/service",
    "tests/test_doc_pages.py",
    "tests/test_docs.py",  # of all pages, those of the service too
    "tests/test_service_demo.py",
    "tests/web",
    "quorate/client",
    "quorate/service",
    "quorate/client/simulated_crowd",
)


class SkipTorch(importlib.abc.MetaPathFinder):
    """Skips whatever imports torch, with a reason, and never loads it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Skip the test or module that imports torch; leave other imports to other finders."""
        if fullname == "torch":
            pytest.skip(NEEDS_TORCH, allow_module_level=True)
        return None


def add_options(parser: pytest.Parser) -> None:
    """Add the options of a run."""
    group = parser.getgroup("quorate")
    group.addoption("--long", action="store_true", help="run the long tests, and no others: see `make test-long`")
    group.addoption("--library", action="store_true", help="run tests of the library: no service, browser or torch")


def configure(config: pytest.Config) -> None:
    """Prepare a run, before any test module is imported."""
    if config.option.long:
        os.environ[VARIABLE] = "1"
    if config.option.library:
        config.option.ignore = [*(config.option.ignore or []), *(str(ROOT / name) for name in OUTSIDE_LIBRARY)]
        assert pl  # imported before, since it looks for torch, which is no reason to skip a test
        sys.meta_path.insert(0, SkipTorch())


def select(items: list[pytest.Item], config: pytest.Config) -> None:
    """Keep the items of this run: `long` ones in a long run only, sized ones in both, and others in a usual run."""
    kept = [item for item in items if _is_sized(item) or _is_long(item) == config.option.long]
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=sorted(set(items) - set(kept), key=items.index))
        items[:] = kept


def _is_long(item: pytest.Item) -> bool:
    return item.get_closest_marker("long") is not None


def _is_sized(item: pytest.Item) -> bool:
    """Return whether a test tries more in a long run: one of hypothesis, or one that is marked so."""
    if _is_long(item):
        return False
    return item.get_closest_marker("sized") is not None or hasattr(getattr(item, "obj", None), "hypothesis")
