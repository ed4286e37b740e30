"""Figures of the page `comparing`, from the last full run of benchmarks/aggregation/without_gold.py."""

from benchmarks.tables import results


def tables() -> dict[str, str]:
    """Return the figures by name, as the pages name them (see docs/write_tables.py)."""
    rows = {row["name"]: row for row in results("aggregation/without_gold")}
    overall = rows["rank correlation of held-out votes and accuracy"]
    sets = overall["details"]["sets"]
    lost = {name.partition(": ")[2]: row["value"] for name, row in rows.items() if ": " in name}
    return {
        "sets without gold": str(len(sets)),
        "rank correlation without gold": f"{overall['value']:.2f}",
        "lowest rank correlation without gold": f"{rows['the lowest of a set']['value']:.2f}",
        "negative rank correlations without gold": str(sum(row["correlation"] < 0 for row in sets)),
        **{f"accuracy lost, {choice}": f"{value:.3f}" for choice, value in lost.items()},
    }
