"""The service: how fast, how steady, and how few votes it asks for; other servers beside it, where they are installed.

python benchmarks/service.py [--quick] [--json FILE]      (or: make service)

Client and server share this machine. Each part is a program of its own: service_peers, service_hot, service_load,
service_faults, service_files, service_demo.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import service_demo, service_faults, service_files, service_load
from benchmarks.harness import Figures, run
from benchmarks.service_hot import hot
from benchmarks.service_peers import peers


def measure(figures: Figures, quick: bool) -> None:
    """All parts, one after the other."""
    hot(figures, quick, peers(figures, quick).get("Label Studio"))
    for part in (service_load, service_faults, service_files, service_demo):
        part.measure(figures, quick)


if __name__ == "__main__":
    run(measure, __doc__ or "")
