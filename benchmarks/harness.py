"""What all benchmarks share: figures with targets, a yardstick of the machine, fresh processes to measure in."""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tables import title

ROOT = Path(__file__).parent.parent
QUICK = "the same rows and targets with fewer repeats, in at most 40 minutes on two cores"
REFERENCE_LOOP = 0.062  # seconds of the fixed Python loop on the machine where the absolute targets were set


@dataclass
class Figures:
    """Figures of one run, printed as they come."""

    rows: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self,
        name: str,
        value: float,
        unit: str,
        *,
        most: float | None = None,
        least: float | None = None,
        note: str = "",
        details: dict[str, Any] | None = None,
    ) -> None:
        """Record a figure and print it with its verdict; without a target it is only shown.

        Args:
            name: the same in every run, whether quick or full.
            value: what was measured.
            unit: the unit of the value and of its target; may be empty.
            most: the target, if the value should be at most this.
            least: the target, if the value should be at least this.
            note: what may differ from run to run, such as the number of repeats; printed after the name.
            details: what only the JSON file keeps, for the tables of the documentation.
        """
        passed = (most is None or value <= most) and (least is None or value >= least)
        sign, target = ("<=", most) if most is not None else (">=", least)
        verdict = "shown" if target is None else "pass" if passed else "MISS"
        wanted = "" if target is None else f"{sign} {target:.3g} {unit}"
        row: dict[str, Any] = {"name": name, "value": value, "unit": unit, "most": most, "least": least}
        row |= {"verdict": verdict} | ({"note": note} if note else {}) | ({"details": details} if details else {})
        print(f"{title(row):<84} {value:>10.3f} {unit:<4} {wanted:<14} {verdict}", flush=True)
        self.rows.append(row)

    def missed(self) -> bool:
        """Return whether any target was missed."""
        return any(row["verdict"] == "MISS" for row in self.rows)

    def names(self) -> list[tuple[str, bool]]:
        """Return the name of each row, in order, and whether it has a target."""
        return [(row["name"], row["verdict"] != "shown") for row in self.rows]

    def summary(self, seconds: float, cpu: float) -> str:
        """Return the last line of a run: how many targets were missed, and how long it took."""
        judged = [row for row in self.rows if row["verdict"] != "shown"]
        n_missed = sum(row["verdict"] == "MISS" for row in judged)
        return (
            f"{len(self.rows)} rows, {n_missed} of {len(judged)} targets missed; "
            f"took {seconds:.0f} s ({seconds / 60:.1f} minutes), of CPU {cpu:.0f} s"
        )


def run(measure: Callable[[Figures, bool], None], description: str) -> None:
    """Run a benchmark with the options of the command line, [--quick] [--json FILE]; exit with 1 on a missed target."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help=QUICK)
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    figures = Figures()
    with timed(figures):
        measure(figures, arguments.quick)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures.rows, indent=1) + "\n")
    sys.exit(int(figures.missed()))


@contextmanager
def timed(figures: Figures) -> Iterator[None]:
    """Print at the end how many targets were missed, and how long the run took."""
    begin, cpu = time.perf_counter(), cpu_seconds()
    yield
    print(figures.summary(time.perf_counter() - begin, cpu_seconds() - cpu), flush=True)


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of all its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def slowness() -> float:
    """Return how many times slower than the reference a fixed Python loop runs now; absolute targets scale by it."""

    def loop() -> None:
        total = 0
        for number in range(1_000_000):
            total += number & 7

    return max(1.0, best_cpu(loop, repeats=7) / REFERENCE_LOOP)


def gather_seconds() -> float:
    """Return the seconds of a fixed numpy gather of ten million values: the yardstick of memory-bound work."""
    rng = np.random.default_rng(0)
    table, index = rng.random(2_000_000), rng.integers(0, 2_000_000, 10_000_000)
    return best_cpu(lambda: table[index], repeats=5)


def best_cpu(work: Callable[[], object], *, repeats: int) -> float:
    """Return the lowest CPU seconds of several runs: the best measure of the work on a shared machine."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


@dataclass
class Child:
    """What a fresh process took."""

    seconds: float
    megabytes: float


def in_child(*arguments: str) -> Child:
    """Run Python with these arguments, in a program that prints `seconds megabytes` as its last line."""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stderr}")
    seconds, megabytes = done.stdout.split()[-2:]
    return Child(float(seconds), float(megabytes))


def call_in_child(function: str, *arguments: object) -> Child:
    """Call `module:function`, which prints `seconds megabytes`, in a fresh process; arguments go as text."""
    return in_child("-m", "benchmarks.child", function, *map(str, arguments))


def report_child(work: Callable[[], object]) -> None:
    """Do the work in the child process, and print its wall seconds and peak megabytes."""
    begin = time.perf_counter()
    kept = work()
    seconds = time.perf_counter() - begin
    print(seconds, peak_megabytes())
    del kept


def peak_megabytes() -> float:
    """Peak memory of this process; what its parent had before (which getrusage would count) left out."""
    status = Path("/proc/self/status")
    if status.exists():
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(peak.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
