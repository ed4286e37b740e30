"""What all benchmarks share: figures with targets, a yardstick of the machine, fresh processes to measure in."""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
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
        details: dict[str, Any] | None = None,
    ) -> None:
        """Record a figure that should be at most, or at least, so much; without a target it is only shown.

        details: what only the JSON file keeps, for the tables of the documentation.
        """
        passed = (most is None or value <= most) and (least is None or value >= least)
        sign, target = ("<=", most) if most is not None else (">=", least)
        verdict = "shown" if target is None else "pass" if passed else "MISS"
        wanted = "" if target is None else f"{sign} {target:.3g} {unit}"
        print(f"{name:<84} {value:>10.3f} {unit:<4} {wanted:<14} {verdict}", flush=True)
        row = {"name": name, "value": value, "unit": unit, "most": most, "least": least, "verdict": verdict}
        self.rows.append(row | ({"details": details} if details else {}))

    def missed(self) -> bool:
        """Whether any target was missed."""
        return any(row["verdict"] == "MISS" for row in self.rows)


def run(measure: Callable[[Figures, bool], None], description: str) -> None:
    """Command line of a benchmark: [--quick] [--json FILE]; exits 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="smaller inputs, fewer repeats; targets are the same")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    figures = Figures()
    measure(figures, arguments.quick)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures.rows, indent=1) + "\n")
    sys.exit(int(figures.missed()))


def slowness() -> float:
    """How many times slower than the reference a fixed Python loop runs now; absolute targets scale by it."""

    def loop() -> None:
        total = 0
        for number in range(1_000_000):
            total += number & 7

    return max(1.0, best_cpu(loop, repeats=7) / REFERENCE_LOOP)


def gather_seconds() -> float:
    """Seconds of a fixed numpy gather of ten million values: the yardstick of memory-bound work."""
    rng = np.random.default_rng(0)
    table, index = rng.random(2_000_000), rng.integers(0, 2_000_000, 10_000_000)
    return best_cpu(lambda: table[index], repeats=5)


def best_cpu(work: Callable[[], object], *, repeats: int) -> float:
    """Least CPU seconds of several runs: on a shared machine the best is what the work takes."""
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
    """In the child: do the work, print wall seconds and peak megabytes of the process."""
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
