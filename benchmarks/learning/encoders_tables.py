"""Table of the page `encoders`, from the last full run of benchmarks/learning/encoders.py."""

from benchmarks.tables import results


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    lines = ["| set | items | words or pixels | encoder | items per second |", "|---|---|---|---|---|"]
    for part in (row["details"] for row in results("learning/encoders") if "details" in row):
        scores = f"{part['plain']:.3f} | {part['encoded']:.3f} | {part['per_second']:.0f}"
        lines.append(f"| {part['set']}: {part['question']} | {part['n_items']:,} {part['kind']} | {scores} |")
    return {"encoders": "\n".join(lines)}
