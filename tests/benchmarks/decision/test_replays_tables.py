"""The tables of the page `replays`, from cells made up by hand."""

from typing import Any

from benchmarks.decision import replays_tables as tables
from benchmarks.harness import ROOT


def cell(row: str, error_cost: int, engine: float, other: float, low: float, high: float) -> dict[str, Any]:
    return {
        "row": row,
        "condition": "no gold",
        "error_cost": error_cost,
        "votes": 1.5,
        "error": 0.04,
        "best": "SWAP",
        "ratio": engine / other,
        "low": low,
        "high": high,
        "losses": {"engine": engine, "SWAP": other},
    }


CELLS = [
    cell("a", 5, 1.0, 2.0, 0.4, 0.6),
    cell("a", 100, 4.0, 4.0, 0.9, 1.1),
    cell("b", 5, 2.0, 1.0, 1.8, 2.3),
    cell("b", 100, 3.0, 12.0, 0.2, 0.3),
]


def test_a_ratio_is_bold_where_its_interval_leaves_out_one() -> None:
    lines = tables.ratios_table(CELLS).replace("\u00a0", " ").splitlines()
    assert lines[0] == "| set | error = 5 votes | error = 100 votes |"
    assert lines[2] == "| a | **0.50 (0.40 to 0.60)** SWAP | 1.00 (0.90 to 1.10) SWAP |"
    assert lines[3] == "| b | **2.00 (1.80 to 2.30)** SWAP | **0.25 (0.20 to 0.30)** SWAP |"


def test_losses_at_one_price_with_and_without_gold() -> None:
    lines = tables.losses_table(CELLS, [CELLS[3]]).splitlines()
    assert lines[2] == "| a | 4.00 (1.50; 4.0%) | 4.00 SWAP |  |  |"
    assert lines[3] == "| b | 3.00 (1.50; 4.0%) | 12.00 SWAP | 3.00 (1.50; 4.0%) | 12.00 SWAP |"


def test_policies_by_geometric_mean() -> None:
    lines = tables.policies_table(CELLS, []).splitlines()
    assert lines[0] == "| policy | no gold, 5 | no gold, 100 | no gold, all |"
    assert lines[2:] == ["| engine | 1.00 | 1.00 | 1.00 |", "| SWAP | 1.00 | 2.00 | 1.41 |"]


def test_the_page_shows_every_table() -> None:
    page = (ROOT / "docs" / "replays.md").read_text()
    assert all(f"<!-- table: {name} -->" in page for name in tables.tables())
    assert tables.ratios_table([]) == "Not run yet."
