"""Other annotation servers: next + submit of one worker on 10,000 short texts, over loopback.

python -m benchmarks.service.peers [--quick] [--json FILE]

They are searched for in the virtual environment that QUORATE_PEERS names, or in .venv-peers; those that are not
installed are left out. What to install: benchmarks/service/requirements.txt. --quick: 50 cycles instead of 300.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import ROOT, Figures, run
from benchmarks.service.cycles import Cycles
from benchmarks.service.label_studio import label_studio
from benchmarks.service.potato import potato

N_ITEMS = 10_000
PEERS = ROOT / ".venv-peers"


def measure(figures: Figures, quick: bool) -> None:
    """Add the figures of the peers that are installed."""
    measure_peers(figures, quick)


def measure_peers(figures: Figures, quick: bool) -> dict[str, Cycles]:
    """Measure the peers that are installed, and return their cycles by name."""
    results = {}
    programs: list[tuple[str, str, Callable[..., Cycles]]] = [
        ("Label Studio", "label-studio", label_studio),
        ("Potato", "potato", potato),
    ]
    for name, program, measure_cycles in programs:
        path = peers_folder() / "bin" / program
        if not path.exists():
            print(f"{name}: not installed in {peers_folder().name} (benchmarks/service/requirements.txt)")
            continue
        with tempfile.TemporaryDirectory() as folder:
            most, seconds = (50, 20.0) if quick else (300, 120.0)
            results[name] = measure_cycles(path, Path(folder), n_items=N_ITEMS, most=most, seconds=seconds)
        _show(figures, name, results[name])
    return results


def peers_folder() -> Path:
    """Return the virtual environment of the peers."""
    return Path(os.environ.get("QUORATE_PEERS", PEERS)).absolute()


def _show(figures: Figures, name: str, result: Cycles) -> None:
    figures.add(f"{name}: next + submit at {N_ITEMS:,} items", result.per_second, "/s")
    figures.add(f"{name}: server CPU per next + submit", result.cpu_ms, "ms")
    result.show(figures, name)


if __name__ == "__main__":
    run(measure, __doc__ or "")
