import subprocess
import sys
from importlib import import_module

import polars as pl

from quorate import methods, registry
from quorate.api.method_table import KINDS


def test_every_method_has_a_row() -> None:
    table = methods()
    assert isinstance(table, pl.DataFrame)
    assert set(KINDS) == set(registry.FOLDERS)
    assert len(table) == sum(len(registry.names(folder)) for folder in registry.FOLDERS)
    assert len(set(KINDS.values())) == len(KINDS)
    assert all(table["description"].str.len_chars() > 10)


def test_a_row_leads_to_its_class() -> None:
    for row in methods().iter_rows(named=True):
        cls = getattr(import_module(row["package"]), row["class_name"])
        assert registry.method_class(row["package"].removeprefix("quorate."), row["name"]) is cls


def test_options_have_their_defaults() -> None:
    options = {(row["kind"], row["name"]): row["options"] for row in methods().iter_rows(named=True)}
    assert options["target", "smoothed"] == "alpha=0.1, over=all"
    assert options["aggregation method", "majority"] == ""
    assert options["aggregation method", "fast_dawid_skene"].startswith("shrink=pool")


def test_torch_is_not_imported() -> None:
    code = "import sys, quorate; quorate.methods(); print('torch' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
