"""Tables of the page `calibration`, from the last full run of benchmarks/calibration/suite.py."""

from typing import Any

from benchmarks.tables import results

WAYS = {"before": "before", "shares": "by vote shares", "votes": "by votes", "gold": "by gold"}


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    return tables_of(results("calibration/suite"))


def tables_of(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return the tables of these figures by name."""
    details = [row.get("details", {}) for row in rows]
    return {
        "calibration by votes": predictors_table([part for part in details if "votes_ece" in part]),
        "what got worse": harm_table([part for part in details if "largest_rise_of_ece" in part]),
        "models of workers": workers_table([part for part in details if "temperature_by_gold" in part]),
    }


def predictors_table(predictors: list[dict[str, Any]]) -> str:
    """Return a row for every predictor: its calibration errors before and after, and its temperatures."""
    names = [f"ECE {name}" for name in WAYS.values()]
    lines = [f"| set | predictor | {' | '.join(names)} | by chance | T by votes | T by gold |"]
    lines.append(f"|{'---|' * (len(WAYS) + 5)}")
    for part in predictors:
        errors = [f"{part[f'{way}_ece']:.3f}\u00a0±\u00a0{part[f'{way}_ece_deviation']:.3f}" for way in WAYS]
        heat = [f"{part['floor_ece']:.3f}", _temperature(part), f"{part['gold_temperature']:.2f}"]
        lines.append(f"| {part['set']} | {part['predictor']} | {' | '.join([*errors, *heat])} |")
    return "\n".join(lines)


def harm_table(runs: list[dict[str, Any]]) -> str:
    """Return how many runs got worse, by set and reference of the calibration."""
    lines = ["| set | fitted to | runs | worse beyond noise | largest rise of ECE |", "|---|---|---|---|---|"]
    for part in runs:
        fitted_to = {"votes": "votes, with worker models", "shares": "vote shares"}[part["way"]]
        rise = max(part["largest_rise_of_ece"], 0.0)
        lines.append(f"| {part['set']} | {fitted_to} | {part['runs']} | {part['worse']} | {rise:.3f} |")
    return "\n".join(lines)


def workers_table(models: list[dict[str, Any]]) -> str:
    """Return the temperature with each worker model, compared with that from gold labels."""
    lines = ["| set | worker models | T by votes | T by gold |", "|---|---|---|---|"]
    for part in models:
        heat = f"{part['temperature']:.2f} | {part['temperature_by_gold']:.2f}"
        lines.append(f"| {part['set']} | {part['workers'].replace('learnt', 'learned')} | {heat} |")
    return "\n".join(lines)


def _temperature(part: dict[str, Any]) -> str:
    """Return the mean temperature, and in how many runs it was changed unless in all."""
    if part["helped"] == 0:
        return "left at 1"
    changed = "" if part["helped"] == 1 else f" (changed in {part['helped']:.0%} of runs)"
    return f"{part['votes_temperature']:.2f}{changed}"
