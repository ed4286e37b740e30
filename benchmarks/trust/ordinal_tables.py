"""Tables of the page `ordinal`, from the last full run of benchmarks/trust/ordinal.py."""

from typing import Any

from benchmarks.tables import results, table, targets_table

SHOWN = {
    "majority": "majority",
    "mean": "mean, rounded",
    "median": "median",
    "dawid_skene": "dawid_skene",
    "ebcc": "ebcc",
    "ensemble": "ensemble",
    "ordinal": "ordinal",
}


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    rows = results("trust/ordinal")
    scales = [row["details"] for row in rows if "details" in row]
    return {
        "accuracy on rating scales": measure_table(scales, "accuracy", max),
        "mean error on rating scales": measure_table(scales, "mean_error", min),
        "targets of rating scales": targets_table(rows),
    }


def measure_table(scales: list[dict[str, Any]], measure: str, best: Any) -> str:
    """Return a row for each scale, a column for each method; the best value of a row is bold."""
    rows = []
    for scale in scales:
        cells = {name: f"{scale['methods'][name][measure]:.3f}" for name in SHOWN}
        top = best(cells.values())
        rows.append([scale["scale"], *(f"**{text}**" if text == top else text for text in cells.values())])
    return table(["scale", *SHOWN.values()], rows)
