"""Shared parts of the tables of the documentation: stored results of benchmarks, and tables in Markdown."""

import json
import re
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
Figures = dict[str, float]


def results(name: str) -> Any:
    """Return the stored results of the last full run of a benchmark, such as decision/audit."""
    return json.loads((RESULTS / f"{name}.json").read_text())


def figures(name: str) -> Figures:
    """Return the values that a benchmark measured, by the name of the figure."""
    return {row["name"]: row["value"] for row in results(name)}


def names(values: Figures, pattern: str) -> list[str]:
    """Return the group of a pattern for each figure whose whole name matches it, in order."""
    return [match.group(1) for name in values if (match := re.fullmatch(pattern, name))]


def title(row: dict[str, Any]) -> str:
    """Return the name of a figure, with its note in brackets."""
    return f"{row['name']} ({row['note']})" if row.get("note") else str(row["name"])


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def targets_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every figure that has a target."""
    lines = ["| figure | value | target | |", "|---|---|---|---|"]
    for row in rows:
        if row["verdict"] != "shown":
            bound = f"at most {row['most']:g}" if row["most"] is not None else f"at least {row['least']:g}"
            unit = f" {row['unit']}" if row["unit"] else ""
            lines.append(f"| {title(row)} | {row['value']:.3f}{unit} | {bound}{unit} | {row['verdict']} |")
    return "\n".join(lines)
