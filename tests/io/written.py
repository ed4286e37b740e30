"""Votes in a file, votes to be written, and a way to put a file into a folder."""

from pathlib import Path

import polars as pl

from quorate import Votes

CSV = "task,worker,label\n007,ann,no\n007,bob,yes\n8,ann,no\n"
VOTES = Votes.from_frame(
    pl.DataFrame(
        {
            "task": ["007", "007", "8"],
            "worker": ["ann", "bob", None],
            "label": ["no", "yes", "no"],
            "seconds": [1.5, 2.0, None],
            "time": [10.0, 20.5, None],
        }
    )
)
NAMED = VOTES.subset(rows=VOTES.worker >= 0)


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
