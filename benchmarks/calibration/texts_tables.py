"""Tables of NN1 on the Appen sets, from the last full run of benchmarks/calibration/suite.py."""

from typing import Any

from benchmarks.tables import results

READINGS = {"f1": "F1", "ece_sigmoid": "ECE, sigmoid as in the paper", "ece_softmax": "ECE, softmax"}


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    rows = results("calibration/suite")
    return {
        "text targets": means_table(rows),
        "text sets": sets_table(rows),
        "text adam": adam_table(rows),
    }


def means_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every target and measure: the mean difference to hard labels over all sets, in points.

    ± is the standard error over test items. Each draw is one of the validation items of five sets. "options of hard
    labels": with the l2 and class weights chosen for hard labels. "lower on": the number of sets.
    """
    lines = [
        "| target | measure | minus hard labels, points | each draw | options of hard labels | lower on | paper |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        part = row.get("details", {})
        if "target_mean" in part:
            paper = f"{part['paper']:+.1f}" if "paper" in part else ""
            gain = f"{row['value']:+.1f}\u00a0±\u00a0{part['error']:.1f}"
            draws = ", ".join(f"{draw:+.1f}" for draw in part["by_draw"])
            cells = part["target_mean"], READINGS[part["measure"]], gain, draws, f"{part['in_one_cell']:+.1f}"
            lines.append(f"| {' | '.join(cells)} | {part['lower']} of {part['of']} | {paper} |")
    return "\n".join(lines)


def sets_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every set and target: F1 and ECE in percent, with the standard error over test items."""
    lines = [
        "| set | test items | target | F1 | paper | macro F1 | ECE, sigmoid as in the paper | paper | ECE, softmax |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        part = row.get("details", {})
        if "texts" in part:
            name = f"**{part['texts']}**" if part["same_split"] else part["texts"]
            ours = [f"{part[measure]:.1f}\u00a0±\u00a0{part[f'{measure}_error']:.1f}" for measure in READINGS]
            cells = name, str(part["n_test"]), part["target"], ours[0], f"{part['paper_f1']:.1f}"
            more = f"{part['macro_f1']:.1f}", ours[1], f"{part['paper_ece']:.1f}", ours[2]
            lines.append(f"| {' | '.join((*cells, *more))} |")
    return "\n".join(lines)


def adam_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every fit that was done with L-BFGS and with Adam."""
    lines = [
        "| set | target | same labels | F1, L-BFGS and Adam | ECE, sigmoid as in the paper | CPU seconds |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        part = row.get("details", {})
        if "adam_texts" in part:
            pairs = [f"{part[name]:.1f}, {part[f'adam_{name}']:.1f}" for name in ("f1", "ece_sigmoid", "seconds")]
            cells = part["adam_texts"], part["target"], f"{row['value']:.1f}%", *pairs
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
