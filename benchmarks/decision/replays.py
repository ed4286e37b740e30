"""The decision engine compared with other policies, replayed on real votes.

python -m benchmarks.decision.replays [--quick] [--json FILE] [--rows NAMES] [--seeds N] [--jobs N] [--policies NAMES]
    [--unseen]      (or: make replay)

QUORATE_DATA names the folder of the sets. Every replay is kept under QUORATE_CACHE (or ~/.cache/quorate) by a hash of
the code that matters to it: an interrupted run continues, and only what was changed is run again. --unseen adds the
sets that were never used for tuning. --quick: two seeds instead of ten.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

import argparse
import datetime
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.decision import targets
from benchmarks.decision.cells import Cell, cell
from benchmarks.decision.contestants import CONTESTANTS, CROWD_ONLY, ENGINE
from benchmarks.decision.fused_ece import measure_ece
from benchmarks.decision.rows import NEVER_TUNED, ROWS, Row, drawn
from benchmarks.decision.runs import ERROR_COSTS, GOLD, NO_GOLD, PERFECT, SHUFFLED, Condition, Job, run_all
from benchmarks.harness import QUICK, Figures, timed

SEEDS, QUICK_SEEDS = 10, 2


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is run."""

    rows: list[Row] = field(default_factory=lambda: [*ROWS])
    policies: list[str] = field(default_factory=lambda: [*CONTESTANTS])
    seeds: int = SEEDS
    jobs: int = 2

    @property
    def whole(self) -> bool:
        """Whether it is the whole table, which the targets of counts are for."""
        return set(ROWS) <= set(self.rows) and set(CONTESTANTS) <= set(self.policies)

    def rows_of(self, among: tuple[Row, ...]) -> list[Row]:
        """Return those of some rows that were chosen."""
        return [row for row in among if row in self.rows]


def measure(figures: Figures, options: Options) -> list[Cell]:
    """Run what is missing, then all figures; returns the cells."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    run_all(planned(options), options.jobs)
    seen, unseen = options.rows_of(ROWS), options.rows_of(NEVER_TUNED)
    cells = [*cells_of(seen, NO_GOLD, options), *cells_of(seen, GOLD, options), *cells_of(unseen, NO_GOLD, options)]
    print_cells(cells)
    names = {row.name for row in seen}
    plain = [cell for cell in cells if cell.condition == NO_GOLD.name]
    targets.add_no_gold(figures, [cell for cell in plain if cell.row in names], whole=options.whole)
    targets.add_gold(figures, [cell for cell in cells if cell.condition == GOLD.name], seen, options.seeds)
    targets.add_no_gold(
        figures, [cell for cell in plain if cell.row not in names], whole=False, name="sets never used for tuning"
    )
    targets.add_losses(figures, seen, options.seeds)
    if CROWD_ONLY in options.policies:
        targets.add_machines(figures, targets.with_features(seen), options.seeds)
    targets.add_seconds(figures, seen, options.seeds)
    measure_ece(figures, [row for row in seen if row.data == "cifar10h"], options.seeds)
    return cells


def planned(options: Options) -> list[Job]:
    """Return all replays that the figures need."""
    jobs = []
    for row in options.rows:
        for condition in conditions(row):
            for name in options.policies:
                if condition.with_gold or not CONTESTANTS[name].needs_gold:
                    jobs += replays_of(row, condition, name, options.seeds)
        if row in targets.with_features(options.rows_of(ROWS)):
            jobs += replays_of(row, SHUFFLED, ENGINE, options.seeds)
            jobs += [Job(row, seed, PERFECT, ENGINE, 20) for seed in range(options.seeds)]
    return jobs


def replays_of(row: Row, condition: Condition, policy: str, seeds: int) -> list[Job]:
    """Return the replays of a policy at every error cost, or one if the cost does not matter to it."""
    costs = ERROR_COSTS if CONTESTANTS[policy].asks_cost else ERROR_COSTS[:1]
    return [Job(row, seed, condition, policy, cost) for seed in range(seeds) for cost in costs]


def conditions(row: Row) -> tuple[Condition, ...]:
    """Gold is given away where the set is large enough, and was seen in tuning."""
    return (NO_GOLD, GOLD) if row in ROWS and drawn(row, 0, True) is not None else (NO_GOLD,)


def cells_of(rows: list[Row], condition: Condition, options: Options) -> list[Cell]:
    """Return the cells of some rows."""
    return [
        cell(row, condition, cost, options.seeds, options.policies)
        for row in rows
        if condition in conditions(row)
        for cost in ERROR_COSTS
    ]


def print_cells(cells: list[Cell]) -> None:
    """Print the table."""
    print(f"{'row':<30} {'':<10} {'Ce':>4} {'engine':>8} {'votes':>6} {'wrong':>6} {'best':>8}  ratio")
    for row in cells:
        print(
            f"{row.row:<30} {row.condition:<10} {row.error_cost:>4} {row.losses[ENGINE]:>8.3f} {row.votes:>6.2f} "
            f"{row.error:>6.1%} {row.losses[row.best]:>8.3f}  {row.ratio.value:.3f} "
            f"({row.ratio.low:.3f} to {row.ratio.high:.3f}) {'' if row.ratio.within_noise else '! '}{row.best}"
        )


def to_json(figures: Figures, cells: list[Cell], options: Options) -> dict[str, Any]:
    """Return the content of the result file."""
    folder = Path(__file__).parent
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=folder)
    return {
        "command": command(sys.argv[1:]),
        "commit": commit.stdout.strip(),
        "date": datetime.date.today().isoformat(),
        "seeds": options.seeds,
        "figures": figures.rows,
        "cells": [cell.to_json() for cell in cells],
    }


def command(arguments: list[str]) -> str:
    """Return the command that was typed, without --json."""
    kept = list(arguments)
    if "--json" in kept:
        del kept[kept.index("--json") : kept.index("--json") + 2]
    return " ".join(["python", "-m", "benchmarks.decision.replays", *kept])


def written(content: dict[str, Any]) -> str:
    """Return JSON with one line per figure and cell, so that changes show in a diff."""
    lines = []
    for key, value in content.items():
        if isinstance(value, list):
            inner = ",\n".join(f"  {json.dumps(entry)}" for entry in value)
            lines.append(f' "{key}": [\n{inner}\n ]')
        else:
            lines.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def parsed(arguments: list[str] | None = None) -> tuple[Options, Path | None]:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="The decision engine and the policies to beat, on real votes.")
    parser.add_argument("--quick", action="store_true", help=QUICK)
    parser.add_argument("--json", type=Path, help="write figures and cells here")
    parser.add_argument("--rows", help="names of rows with commas between them; the part before a colon is enough")
    parser.add_argument("--unseen", action="store_true", help="also the sets never used for tuning")
    parser.add_argument("--policies", help="names of policies with semicolons between them; the engine is always there")
    parser.add_argument("--seeds", type=int, help="how many pools of each row")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    typed = parser.parse_args(arguments)
    rows = [*ROWS, *NEVER_TUNED] if typed.unseen else [*ROWS]
    wanted = typed.rows.split(",") if typed.rows else [row.name for row in rows]
    chosen = [row for row in (*ROWS, *NEVER_TUNED) if row.name in wanted or row.data in wanted]
    policies = [*CONTESTANTS]
    if typed.policies:
        policies = [name for name in CONTESTANTS if name in (ENGINE, *typed.policies.split(";"))]
    seeds = typed.seeds or (QUICK_SEEDS if typed.quick else SEEDS)
    options = Options(rows=chosen, policies=policies, seeds=seeds, jobs=typed.jobs)
    return options, typed.json


if __name__ == "__main__":
    options, out = parsed()
    figures = Figures()
    with timed(figures):
        cells = measure(figures, options)
    if out:
        out.write_text(written(to_json(figures, cells, options)))
    sys.exit(int(figures.missed()))
