"""Tables of the page `learning_results`, from the last full run of benchmarks/learning/classifiers.py."""

from typing import Any

from benchmarks.tables import results, targets_table


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    rows = results("learning/classifiers")
    return {
        "learning targets": targets_table(rows),
        "votes alone": ", ".join(f"{share:.3f} on {name}" for name, share in votes_alone().items()),
        "learners": learners_table([row["details"] for row in rows if "learner" in row.get("details", {})]),
        "methods of the papers": papers_table([row for row in rows if "method" in row.get("details", {})]),
    }


def votes_alone() -> dict[str, float]:
    """Return the accuracy of Dawid-Skene on the training items, without a classifier, by set: from `make accuracy`."""
    rows = results("aggregation/accuracy")
    accuracy = next(row["details"]["sets"] for row in rows if row.get("details", {}).get("method") == "dawid_skene")
    return {name: accuracy[name] for name in ("labelme", "music_genre", "sent_polarity")}


def learners_table(learners: list[dict[str, Any]]) -> str:
    """Return a row for every learner: mean and standard deviation over its seeds."""
    lines = ["| set | learner | accuracy | ECE | consensus | seconds |", "|---|---|---|---|---|---|"]
    for part in learners:
        figures = [_figure(part, name) for name in ("accuracy", "ece", "consensus")]
        lines.append(f"| {part['set']} | {part['learner']} | {' | '.join(figures)} | {part['seconds']:.0f} |")
    return "\n".join(lines)


def papers_table(rows: list[dict[str, Any]]) -> str:
    """Return a row for every claim of a paper: accuracy without and with the method, and the verdict."""
    lines = ["| method | claim | set | without | with | gain, points | verdict |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        part = row["details"]
        before, after = _figure(part, "without"), _figure(part, "with")
        cells = (part["method"], part["claim"], part["set"], before, after, f"{row['value']:+.1f}", part["holds"])
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _figure(part: dict[str, Any], name: str) -> str:
    return f"{part[name]:.3f}\u00a0±\u00a0{part[f'{name}_deviation']:.3f}" if name in part else ""
