"""Tables of the page `accuracy`, from the last full run of benchmarks/aggregation/accuracy.py."""

from typing import Any

from benchmarks.tables import results, title
from quorate import registry


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    rows = results("aggregation/accuracy")
    return {
        "accuracy targets": targets_table([row for row in rows if row["verdict"] != "shown"]),
        "accuracy of methods": methods_table(rows),
        "accuracy by set": sets_table(rows),
        "lead of ebcc": ebcc_table(rows),
        "agreement with crowd-kit": agreement_table(rows),
    }


def targets_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every figure that has a target."""
    lines = ["| figure | value | target | |", "|---|---|---|---|"]
    for row in rows:
        bound = f"at most {row['most']:g}" if row["most"] is not None else f"at least {row['least']:g}"
        lines.append(f"| {title(row)} | {row['value']:.4g} | {bound} | {row['verdict']} |")
    return "\n".join(lines)


def methods_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every method, the most accurate first; those that do not handle all sets last."""
    measured = _of_methods(rows)
    n_sets = max(len(row["details"]["sets"]) for row in measured)
    lines = [
        "| method | accuracy | log-loss | seconds | crowd-kit: accuracy | crowd-kit: seconds |",
        "|---|---|---|---|---|---|",
    ]
    for row in measured:
        part = row["details"]
        taken = len(part["sets"])
        mean = _share(row["value"]) + ("" if taken == n_sets else f" on {taken} sets")
        peer = part.get("crowd-kit")
        theirs, seconds = _crowdkit_accuracy(peer, taken), f"{peer['seconds']:.1f}" if peer else ""
        cells = (_link(part["method"]), mean, f"{part['log_loss']:.2f}", f"{part['seconds']:.2f}", theirs, seconds)
        lines.append(f"| {' | '.join(cells)} |")
    methods = {row["details"]["method"] for row in measured}
    missing = [name for name in registry.names("aggregation") if name not in methods]
    lines += [f"| {_link(name)} | not measured yet | | | | |" for name in missing]
    return "\n".join(lines)


def _crowdkit_accuracy(peer: dict[str, Any] | None, n_sets: int) -> str:
    if peer is None:
        return ""
    taken = len(peer["sets"])
    note = "" if taken == n_sets else f" on {taken} sets (Quorate on these: {_share(peer['ours on the same sets'])})"
    return _share(peer["accuracy"]) + note


def sets_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every method and a column for every set; the best of each set is bold."""
    measured = _of_methods(rows)
    names = sorted(measured[0]["details"]["sets"])
    best = {name: max(row["details"]["sets"].get(name, 0) for row in measured) for name in names}
    lines = [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for row in measured:
        right = row["details"]["sets"]
        cells = [_share(right[name]) if name in right else "" for name in names]
        cells = [f"**{cell}**" if right.get(names[i]) == best[names[i]] else cell for i, cell in enumerate(cells)]
        lines.append(f"| {row['details']['method']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def ebcc_table(rows: list[dict[str, Any]]) -> str:
    """Return the lead of ebcc over dawid_skene, by seed and restarts."""
    lines = ["| ebcc with | mean lead | sets ahead, behind | largest lead | mean lead elsewhere |"]
    lines.append("|---|---|---|---|---|")
    for row in rows:
        if "try" in row.get("details", {}):
            part = row["details"]
            most = f"{part['lead there']:+.3f} on {part['most']}"
            cells = (part["try"], f"{row['value']:+.4f}", f"{part['ahead']}, {part['behind']}", most)
            lines.append(f"| {' | '.join(cells)} | {part['lead elsewhere']:+.4f} |")
    return "\n".join(lines)


def agreement_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every method that both libraries have."""
    without = {row["details"]["without"]: row["value"] for row in rows if "without" in row.get("details", {})}
    lines = ["| method | same labels | cause of the rest | lowest set without it | sets below 99%, of n tasks |"]
    lines.append("|---|---|---|---|---|")
    for row in rows:
        part = row.get("details", {})
        if "below" in part:
            left = _share(without[part["method"]]) if part["method"] in without else ""
            cells = (part["method"], _share(row["value"]), part["cause"], left, _below(part["below"]))
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _below(entries: list[dict[str, Any]]) -> str:
    differing = [
        f"{entry['set']} {_share(entry['share'])} of {entry['items']:,}" for entry in entries if "why" not in entry
    ]
    refused: dict[str, list[str]] = {}
    for entry in entries:
        if "why" in entry:
            refused.setdefault(entry["why"], []).append(f"{entry['set']} ({entry['items']:,})")
    return "; ".join(differing + [f"crowd-kit {why}: {', '.join(names)}" for why, names in refused.items()])


def _of_methods(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    measured = [row for row in rows if "log_loss" in row.get("details", {})]
    return sorted(measured, key=lambda row: (-len(row["details"]["sets"]), -row["value"]))


def _link(method: str) -> str:
    return f"[{method}](../quorate/aggregation/{method}.py)"


def _share(value: float) -> str:
    return f"{value:.3f}"
