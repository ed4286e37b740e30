"""The service: speed, robustness and number of votes, compared with other installed servers.

python -m benchmarks.service.suite [--quick] [--json FILE]      (or: make service)

Client and server share this machine. Each part is a benchmark of its own: peers, hot_path, load, faults, files, demo;
see there for what --quick repeats less often.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads on busy processors wait for each other


from benchmarks.harness import Figures, run
from benchmarks.service import demo, faults, files, load
from benchmarks.service.hot_path import measure_hot_path
from benchmarks.service.peers import measure_peers


def measure(figures: Figures, quick: bool) -> None:
    """Run all parts in sequence."""
    measure_hot_path(figures, quick, measure_peers(figures, quick).get("Label Studio"))
    for part in (load, faults, files, demo):
        part.measure(figures, quick)


if __name__ == "__main__":
    run(measure, __doc__ or "")
