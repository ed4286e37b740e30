"""Tables of the engine with encoders, from the last full run of benchmarks/hybrid/engine.py."""

from typing import Any

from benchmarks.hybrid.pools import WAYS
from benchmarks.tables import results, table


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    return {"cost of the hybrid engine": costs_table(results("hybrid/engine"))}


def costs_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every set: the engine with an encoder in detail, and its cost with other features."""
    cells = {(row["details"]["set"], row["details"]["way"]): row for row in rows if "way" in row.get("details", {})}
    lines = []
    for name in dict.fromkeys(name for name, _ in cells):
        encoder = cells[name, "encoder"]
        details = encoder["details"]
        lines.append(
            [
                name,
                details["group"],
                f"{details['votes']:.2f}",
                f"{details['accuracy']:.3f}",
                f"{details['without_vote']:.0%}",
                f"**{encoder['value']:.2f}** ± {details['deviation']:.2f}",
                *(f"{cells[name, way]['value']:.2f}" for way in WAYS[1:]),
            ]
        )
    heads = ["set", "constants", "votes", "accuracy", "without a vote", "cost", *(f"cost, {way}" for way in WAYS[1:])]
    return table(heads, lines)
