"""Tables of the pages `calibration_results` and `calibration`, from the last full run of `make calibrate`."""

from typing import Any

from benchmarks.calibration import by_votes_tables, texts_tables
from benchmarks.tables import results, targets_table

Row = dict[str, Any]


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    rows = results("calibration/suite")
    return {
        "calibration targets": targets_table(rows),
        "scores of votes": scores_of_votes_table([row for row in rows if _of(row).get("table") == "votes"]),
        "scores of features": scores_of_features_table([row for row in rows if "share_wrong" in _of(row)]),
        "pruning": pruning_table([row for row in rows if "pruned by" in _of(row)]),
        "simulated sets": simulated_table([_of(row) for row in rows if "printed" in _of(row)]),
        **texts_tables.tables(),
        **by_votes_tables.tables(),
    }


def _of(row: Row) -> Row:
    details: Row = row.get("details", {})
    return details


def scores_of_votes_table(rows: list[Row]) -> str:
    """Return a row for every score that uses votes alone, the best first."""
    lines = ["| score | AUROC, mean over sets | lowest | highest |", "|---|---|---|---|"]
    for row in sorted(rows, key=lambda row: -row["value"]):
        sets = _of(row)["sets"]
        low, high = min(sets, key=sets.__getitem__), max(sets, key=sets.__getitem__)
        ends = f"{sets[low]:.2f} ({low}) | {sets[high]:.2f} ({high})"
        lines.append(f"| {_of(row)['score']} | {row['value']:.3f} | {ends} |")
    return "\n".join(lines)


def scores_of_features_table(rows: list[Row]) -> str:
    """Return a row for every score and classifier, with columns for each set."""
    sets = list(dict.fromkeys(_of(row)["table"] for row in rows))
    head = " | ".join(f"{name}: AUROC | wrong in the worst tenth" for name in sets)
    lines = [f"| score | from | {head} |", "|---|---|" + "---|---|" * len(sets)]
    by_key = {(_of(row)["score"], _of(row)["by"], _of(row)["table"]): row for row in rows}
    pairs = dict.fromkeys((score, by) for score, by, _ in by_key)
    for score, by in sorted(pairs, key=lambda pair: -sum(by_key[(*pair, name)]["value"] for name in sets)):
        cells = [
            f"{by_key[score, by, name]['value']:.3f} | {_of(by_key[score, by, name])['share_wrong']:.0%}"
            for name in sets
        ]
        lines.append(f"| {score} | {by.removeprefix('by ').strip() or 'votes'} | {' | '.join(cells)} |")
    everyone = ", ".join(f"{_of(row)['wrong']:.0%} of {name}" for name in sets for row in _first(rows, name))
    return "\n".join([*lines, "", f"Of all labels of dawid_skene, {everyone} are wrong."])


def _first(rows: list[Row], name: str) -> list[Row]:
    return [row for row in rows if _of(row)["table"] == name][:1]


def pruning_table(rows: list[Row]) -> str:
    """Return a row for every set, method and score, with the gain in points and its interval for each share."""
    alphas = list(dict.fromkeys(_of(row)["alpha"] for row in rows))
    head = " | ".join(f"{alpha:.0%} left out" for alpha in alphas)
    lines = [f"| set | method | without | pruned by | {head} |", "|---|---|---|---|" + "---|" * len(alphas)]
    by_key = {(_of(row)["set"], _of(row)["way"], _of(row)["pruned by"], _of(row)["alpha"]): row for row in rows}
    for name, way, kind in dict.fromkeys(key[:3] for key in by_key):
        cells = [_gain(by_key[name, way, kind, alpha]) for alpha in alphas]
        before = f"{_of(by_key[name, way, kind, alphas[0]])['without']:.3f}"
        lines.append(f"| {name} | {way} | {before} | {kind.upper()} | {' | '.join(cells)} |")
    return "\n".join(lines)


def simulated_table(entries: list[Row]) -> str:
    """Return a row for every row of tables 1, 3 and 4 of Lefort et al.: our figures, theirs, and gains of pruning."""
    lines = [
        "| table | set | method | accuracy | paper | ECE | paper | gain from pruning, points |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for part in entries:
        printed = ["" if value is None else f"{value:g}" for value in part["printed"]]
        ours = [f"{part[name]:.3f}\u00a0±\u00a0{part[f'{name}_deviation']:.3f}" for name in ("accuracy", "ece")]
        gain = f"{100 * part['gain']:+.1f}\u00a0±\u00a0{200 * part['gain_error']:.1f}" if "gain" in part else ""
        cells = str(part["table"]), part["set"], part["row"], ours[0], printed[0], ours[1], printed[1], gain
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _gain(row: Row) -> str:
    """Return a gain in points, bold if its interval excludes zero."""
    low, high = _of(row)["low"], _of(row)["high"]
    text = f"{row['value']:+.1f}\u00a0({low:+.1f}\u00a0to\u00a0{high:+.1f})"
    return f"**{text}**" if low > 0 or high < 0 else text
