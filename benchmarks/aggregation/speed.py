"""Memory, reading speed and aggregation speed of Quorate and its peers, in one run.

python -m benchmarks.aggregation.speed [--quick] [--json FILE]      (or: make bench NAME=aggregation/speed)

--quick: the same sizes, fewer repeats.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread for everybody
os.environ.setdefault("QUORATE_THREADS", "1")

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.aggregation import crowds, rounds
from benchmarks.aggregation.readers import PEERS
from benchmarks.harness import Child, Figures, call_in_child, gather_seconds, in_child, run, slowness

READ = "benchmarks.aggregation.readers:report"
IMPORT = "import time; t = time.perf_counter(); import quorate; {then}; print(time.perf_counter() - t, 0)"


def measure(figures: Figures, quick: bool) -> None:
    """Add all rows."""
    measure_start(figures, repeats=3 if quick else 9)
    rounds.measure(figures, quick)
    with tempfile.TemporaryDirectory() as folder:
        measure_reading(figures, Path(folder), n_votes=rounds.LARGE, repeats=3 if quick else 5)


def measure_start(figures: Figures, repeats: int) -> None:
    """Measure `import quorate` and a first result in a fresh process."""
    slow = slowness()
    figures.add("yardstick: a fixed Python loop, times the reference", slow, "x")
    figures.add("yardstick: a fixed numpy gather of 10 million", gather_seconds(), "s")
    for name, then, target in (
        ("import quorate", "pass", 0.3 * slow),
        ("import quorate, and all it exports", "[getattr(quorate, name) for name in quorate.__all__]", None),
    ):
        seconds = min(in_child("-c", IMPORT.format(then=then)).seconds for _ in range(repeats))
        figures.add(name, seconds, "s", most=target)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.csv"
        crowds.frame(1000, 2).write_csv(path)
        command = [sys.executable, "-m", "quorate", "aggregate", str(path), "--out", str(Path(folder) / "labels.csv")]
        seconds = min(_wall(command) for _ in range(repeats))
        figures.add("quorate aggregate, 1,000 votes, from process start to exit", seconds, "s", most=1.0 * slow)


def measure_reading(figures: Figures, folder: Path, n_votes: int, repeats: int) -> None:
    """Files with string ids to codes and names: time and memory against the fastest peer of the run."""
    (folder / "small").mkdir()
    small = crowds.write(folder / "small", 100)
    for what, path in crowds.write(folder, n_votes).items():
        readers = ["quorate", *(peer.__name__ for peer in PEERS[path.suffix.lstrip(".")])]
        runs: dict[str, list[Child]] = {name: [] for name in readers}
        for _ in range(repeats):
            for name in readers:  # in turns, so that a slow moment of the machine hits all of them
                runs[name].append(call_in_child(READ, name, path, small[what]))
        seconds = {name: min(child.seconds for child in runs[name]) for name in readers}
        memory = {name: statistics.median(child.megabytes for child in runs[name]) for name in readers}
        for name in readers:
            note = f"{memory[name]:.0f} MB"
            figures.add(f"read {n_votes:,} votes ({what}): {name}", seconds[name], "s", note=note)
        fastest = min(readers[1:], key=seconds.__getitem__)
        ratio, memory_ratio = seconds["quorate"] / seconds[fastest], memory["quorate"] / memory[fastest]
        figures.add(f"read ({what}): time against the fastest peer", ratio, "x", most=1.5, note=fastest)
        figures.add(f"read ({what}): memory against the same", memory_ratio, "x", most=1.0)


def _wall(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


if __name__ == "__main__":
    run(measure, __doc__ or "")
