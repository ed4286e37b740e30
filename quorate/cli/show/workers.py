"""Workers as `quorate workers` shows them."""

import numpy as np
import polars as pl

from quorate.cli import console
from quorate.data.votes import Votes
from quorate.quality.tuning import TUNING
from quorate.quality.workers.copying import Suspects

MIN_WIDTH_FOR_TIMES = 100  # columns of a terminal that has room for times and longer bars
MAX_PAIRS = 8


def show_workers(
    result: pl.DataFrame, votes: Votes, alike: Suspects, flags: list[list[str]], *, top: int, method: str
) -> None:
    """Print the workers, the pairs that may copy from each other, and how many workers are flagged."""
    title = f"{console.count(votes.n_workers, 'worker')} by {method}: flagged first, then least agreement"
    _show_scores(result.head(top), title)
    if votes.n_workers > top:
        console.line(f"... and {votes.n_workers - top:,} more: --top {votes.n_workers} shows all")
    _show_unranked(result)
    _show_pairs(votes, alike)
    _show_flagged(votes, flags)


def order_workers(scores: pl.DataFrame, flags: list[list[str]]) -> pl.DataFrame:
    """Return the scores with a column of flags: flagged workers first, then by agreement, those without it last."""
    flagged = scores.with_columns(pl.Series("flags", ["; ".join(texts) for texts in flags], dtype=pl.String))
    by = [pl.col("flags") == "", pl.col("consensus_agreement").fill_nan(None), -pl.col("votes").cast(pl.Int64)]
    return flagged.sort(by, nulls_last=True, maintain_order=True)


def _show_scores(result: pl.DataFrame, title: str) -> None:
    rows = result.to_dict(as_series=False)
    width = console.terminal_width()
    shown = {
        "worker": [console.short(name, 20) for name in rows["worker"]],
        "votes": [f"{count:,}" for count in rows["votes"]],
        "agreement": [
            note or console.number(value, 2)
            for value, note in zip(rows["consensus_agreement"], rows["note"], strict=True)
        ],
    }
    if width >= console.MIN_WIDTH_FOR_BARS:
        length = 20 if width >= MIN_WIDTH_FOR_TIMES else 10
        ends = zip(rows["consensus_low"], rows["consensus_high"], strict=True)
        shown["95% interval"] = [_interval(low, high, length) for low, high in ends]
    if width >= MIN_WIDTH_FOR_TIMES and "median_seconds" in rows:
        shown["seconds"] = [console.number(value, 1) for value in rows["median_seconds"]]
    shown["flags"] = [console.clean(text) for text in rows["flags"]]
    console.table(title, shown, right=["votes", "agreement", "seconds"], wrap=["flags"])


def _interval(low: float, high: float, length: int) -> str:
    """Return an interval as numbers and a bar; nothing if it is unknown."""
    if low != low:
        return ""
    return f"{console.number(low, 2)}-{console.number(high, 2)} {console.open_bar(low, high, length)}"


def _show_unranked(result: pl.DataFrame) -> None:
    n_unranked = int((result["note"] != "").sum())
    if n_unranked:
        have = "has" if n_unranked == 1 else "have"
        console.line(
            f"{console.count(n_unranked, 'worker')} {have} fewer than {TUNING.min_votes} votes on tasks that others "
            "voted on: too few to state an agreement"
        )


def _show_pairs(votes: Votes, alike: Suspects) -> None:
    pairs = alike.pairs.take(slice(MAX_PAIRS))
    if not len(pairs.common):
        return
    shown = {
        "worker": [console.short(name, 20) for name in votes.workers[pairs.first]],
        "and": [console.short(name, 20) for name in votes.workers[pairs.second]],
        "common tasks": [f"{count:,.0f}" for count in pairs.common],
        "agree": [f"{share:.0%}" for share in pairs.agreed / pairs.common],
        "expected": [f"{share:.0%}" for share in np.clip(pairs.expected / pairs.common, 0, 1)],
    }
    right = ["common tasks", "agree", "expected"]
    console.table("Suspected copies", shown, right=right)
    if len(alike.z) > MAX_PAIRS:
        console.line(f"... and {len(alike.z) - MAX_PAIRS:,} more pairs")


def _show_flagged(votes: Votes, flags: list[list[str]]) -> None:
    flagged = [texts for texts in flags if texts]
    if flagged:
        share = votes.votes_per_worker[[bool(texts) for texts in flags]].sum() / len(votes)
        console.line(f"{len(flagged):,} of {votes.n_workers:,} workers are flagged; they gave {share:.0%} of the votes")
