"""The service: speed, robustness and number of votes, compared with other installed servers.

python -m benchmarks.service.suite [--quick] [--json FILE]      (or: make service)

Client and server share this machine. Each part is a benchmark of its own: peers, hot_path, load, faults, files, demo;
what --quick repeats less often is said there.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other


from benchmarks.harness import Figures, run
from benchmarks.service import demo, faults, files, load
from benchmarks.service.hot_path import hot
from benchmarks.service.peers import peers


def measure(figures: Figures, quick: bool) -> None:
    """All parts, one after the other."""
    hot(figures, quick, peers(figures, quick).get("Label Studio"))
    for part in (load, faults, files, demo):
        part.measure(figures, quick)


if __name__ == "__main__":
    run(measure, __doc__ or "")
