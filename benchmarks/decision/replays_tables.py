"""Tables of the page `replays`, from the last full run of benchmarks/decision/replays.py."""

from typing import Any

import numpy as np

from benchmarks.tables import results, targets_table

ENGINE = "engine"
NEVER_TUNED = ("face_sentiment", "fact_eval", "trec", "s_rel", "reuters8", "gimpel_pos")
Cell = dict[str, Any]


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    result = results("decision/replays")
    cells = result["cells"]
    seen = [cell for cell in cells if cell["row"] not in NEVER_TUNED]
    plain = [cell for cell in seen if cell["condition"] == "no gold"]
    gold = [cell for cell in seen if cell["condition"] == "200 gold"]
    return {
        "replay run": f"`{result['command']}`, {result['seeds']} seeds, {result['date']}, {result['commit']}",
        "replay targets": targets_table(result["figures"]),
        "replay ratios": ratios_table(plain),
        "replay ratios with gold": ratios_table(gold),
        "replay ratios never tuned": ratios_table([cell for cell in cells if cell["row"] in NEVER_TUNED]),
        "replay losses": losses_table(plain, gold),
        "replay policies": policies_table(plain, gold),
    }


def ratios_table(cells: list[Cell]) -> str:
    """Return a row for every set: loss of the engine relative to the best other policy, at each cost of an error."""
    if not cells:
        return "Not run yet."
    costs = sorted({cell["error_cost"] for cell in cells})
    lines = ["| set | " + " | ".join(f"error = {cost} votes" for cost in costs) + " |", "|---" * (len(costs) + 1) + "|"]
    for row in dict.fromkeys(cell["row"] for cell in cells):
        by_cost = {cell["error_cost"]: cell for cell in cells if cell["row"] == row}
        lines.append(f"| {row} | " + " | ".join(_ratio(by_cost[cost]) for cost in costs) + " |")
    return "\n".join(lines)


def _ratio(cell: Cell) -> str:
    """Return the ratio with its interval and the other policy; bold if the interval excludes one."""
    text = f"{cell['ratio']:.2f}\u00a0({cell['low']:.2f}\u00a0to\u00a0{cell['high']:.2f})"
    text = f"**{text}**" if cell["high"] < 1 or cell["low"] > 1 else text
    return f"{text} {cell['best']}"


def losses_table(plain: list[Cell], gold: list[Cell], error_cost: int = 100) -> str:
    """Return a row for every set: losses of the engine and of the best other policy, at one cost of an error."""
    lines = [
        "| set | engine, no gold (votes; wrong) | best other | engine, 200 gold (votes; wrong) | best other |",
        "|---|---|---|---|---|",
    ]
    with_gold = {cell["row"]: cell for cell in gold if cell["error_cost"] == error_cost}
    for cell in plain:
        if cell["error_cost"] == error_cost:
            other = with_gold.get(cell["row"])
            lines.append(f"| {cell['row']} | {_loss(cell)} | {_loss(other) if other else ' | '} |")
    return "\n".join(lines)


def _loss(cell: Cell) -> str:
    losses, best = cell["losses"], cell["best"]
    return f"{losses[ENGINE]:.2f} ({cell['votes']:.2f}; {cell['error']:.1%}) | {losses[best]:.2f} {best}"


def policies_table(plain: list[Cell], gold: list[Cell]) -> str:
    """Return a row for every policy: its loss as a multiple of the engine's, geometric mean over the sets."""
    costs = sorted({cell["error_cost"] for cell in plain})
    parts = [("no gold", plain), ("200 gold", gold)]
    heads = [f"{name}, {cost}" for name, cells in parts if cells for cost in (*costs, "all")]
    lines = ["| policy | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    names = dict.fromkeys(name for cell in (*plain, *gold) for name in cell["losses"])
    for name in names:
        shown = [_multiple(cells, name, cost) for _, cells in parts if cells for cost in (*costs, None)]
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def _multiple(cells: list[Cell], policy: str, error_cost: int | None) -> str:
    used = [cell["losses"] for cell in cells if error_cost in (None, cell["error_cost"])]
    if not all(policy in losses for losses in used):
        return ""
    return f"{np.exp(np.mean([np.log(losses[policy] / losses[ENGINE]) for losses in used])):.2f}"
