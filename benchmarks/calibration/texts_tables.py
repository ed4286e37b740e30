"""Tables of NN1 on the Appen sets, from the last full run of benchmarks/calibration/suite.py."""

from typing import Any

from benchmarks.tables import results

READINGS = {"f1": "F1", "ece_sigmoid": "ECE, the paper's reading", "ece_softmax": "ECE by softmax"}


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    rows = results("calibration/suite")
    return {
        "text targets": means_table(rows),
        "text sets": sets_table(rows),
        "text adam": adam_table(rows),
    }


def means_table(rows: list[dict[str, Any]]) -> str:
    """A row for every target and measure: the mean difference to hard labels over all sets, in points.

    ±: the standard error that the test items leave. Each draw: of the validation items of five sets. In the cell of
    hard labels: with the l2 and class weights that hard labels chose. Lower on: of how many sets.
    """
    lines = [
        "| target | measure | less hard labels, points | each draw | in the cell of hard labels | lower on | paper |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        part = row.get("details", {})
        if "target_mean" in part:
            paper = f"{part['paper']:+.1f}" if "paper" in part else ""
            gain = f"{row['value']:+.1f}\u00a0±\u00a0{part['error']:.1f}"
            draws = ", ".join(f"{one:+.1f}" for one in part["by_draw"])
            cells = part["target_mean"], READINGS[part["measure"]], gain, draws, f"{part['in_one_cell']:+.1f}"
            lines.append(f"| {' | '.join(cells)} | {part['lower']} of {part['of']} | {paper} |")
    return "\n".join(lines)


def sets_table(rows: list[dict[str, Any]]) -> str:
    """A row for every set and target: F1 and ECE in percent, with the standard error of the test items."""
    lines = [
        "| set | test items | target | F1 | paper | macro F1 | ECE, the paper's reading | paper | ECE by softmax |",
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
    """A row for every fit that was done by L-BFGS and by Adam."""
    lines = [
        "| set | target | labelled alike | F1, L-BFGS and Adam | ECE, the paper's reading | CPU seconds |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        part = row.get("details", {})
        if "adam_texts" in part:
            pairs = [f"{part[name]:.1f}, {part[f'adam_{name}']:.1f}" for name in ("f1", "ece_sigmoid", "seconds")]
            cells = part["adam_texts"], part["target"], f"{row['value']:.1f}\u00a0%", *pairs
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
