"""Tables of the page `screening`, from the last full run of benchmarks/decision/screening.py."""

from typing import Any

from benchmarks.tables import results

OURS = "engine"
POOLS = {"no machine": "no classifier", "hold together": "correlated criteria"}  # where the results use other words


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    rows = [row["details"] for row in results("decision/screening") if "details" in row]
    return {
        "screening": losses_table([row for row in rows if "loss" in row]),
        "screening against others": against_table([row for row in rows if "geometric_mean" in row]),
    }


def losses_table(measured: list[dict[str, Any]]) -> str:
    """Return a row for each pool and costs, a column for each rule; the smallest loss is bold."""
    rules = list(dict.fromkeys(row["rule"] for row in measured))
    lines = [f"| pool | cost of false inclusion, exclusion | {' | '.join(rules)} |", f"|---|---|{'---|' * len(rules)}"]
    cells: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for row in measured:
        cells.setdefault((row["world"], f"{row['wrong']}, {row['missed']}"), {})[row["rule"]] = row
    for (world, costs), by_rule in cells.items():
        least = min(row["loss"] for row in by_rule.values())
        shown = [_cell(by_rule[rule], bold=by_rule[rule]["loss"] == least) for rule in rules]
        lines.append(f"| {POOLS.get(world, world)} | {costs} | {' | '.join(shown)} |")
    return "\n".join(lines)


def _cell(row: dict[str, Any], *, bold: bool) -> str:
    loss = f"{row['loss']:.2f}"
    return f"{f'**{loss}**' if bold else loss}\u00a0({row['spend']:.1f})"


def against_table(baselines: list[dict[str, Any]]) -> str:
    """Return a row for each baseline."""
    heads = ["baseline", "loss of the engine / its loss, geometric mean", "best", "worst", "spend for as few errors"]
    lines = [f"| {' | '.join(heads)} |", "|---|---|---|---|---|"]
    for row in baselines:
        money = f"{row['money']:.1f} times, in {row['reached']} of {row['cells']}" if row["reached"] else "never as few"
        ratios = " | ".join(f"{row[part]:.2f}" for part in ("geometric_mean", "best", "worst"))
        lines.append(f"| {row['against']} | {ratios} | {money} |")
    return "\n".join(lines)
