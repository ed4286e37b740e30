"""Table of the page `benchmarks`, from the last full run of benchmarks/aggregation/speed.py."""

from benchmarks.tables import results, title


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    return {"figures": figures_table()}


def figures_table() -> str:
    """Return a row for every figure."""
    lines = ["| figure | value | target | |", "|---|---|---|---|"]
    for row in results("aggregation/speed"):
        target = f"at most {row['most']:.3g}" if row["most"] is not None else ""
        target = f"at least {row['least']:.3g}" if row["least"] is not None else target
        verdict = row["verdict"] if target else ""
        lines.append(f"| {title(row)} | {row['value']:.3g} {row['unit']} | {target} | {verdict} |")
    return "\n".join(lines)
