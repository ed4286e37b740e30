"""Other annotation servers: next + submit of one worker on 10,000 short texts, over loopback.

python -m benchmarks.service.peers [--quick] [--json FILE]

They are looked for in the virtual environment that QUORATE_PEERS names, or in .venv-peers; where they are not there,
nothing is measured, and nothing passes or misses. What to install there: benchmarks/service/requirements.txt. --quick:
50 cycles instead of 300.
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
    """The rows of the peers that are installed."""
    peers(figures, quick)


def peers(figures: Figures, quick: bool) -> dict[str, Cycles]:
    """Measure the peers that are installed; their cycles by name."""
    found = {}
    known: list[tuple[str, str, Callable[..., Cycles]]] = [
        ("Label Studio", "label-studio", label_studio),
        ("Potato", "potato", potato),
    ]
    for name, program, measured in known:
        path = folder_of_peers() / "bin" / program
        if not path.exists():
            print(f"{name}: not installed in {folder_of_peers().name} (benchmarks/service/requirements.txt)")
            continue
        with tempfile.TemporaryDirectory() as folder:
            most, seconds = (50, 20.0) if quick else (300, 120.0)
            found[name] = measured(path, Path(folder), n_items=N_ITEMS, most=most, seconds=seconds)
        _show(figures, name, found[name])
    return found


def folder_of_peers() -> Path:
    """The virtual environment in which peers are looked for."""
    return Path(os.environ.get("QUORATE_PEERS", PEERS)).absolute()


def _show(figures: Figures, name: str, took: Cycles) -> None:
    figures.add(f"{name}: next + submit at {N_ITEMS:,} items", took.per_second, "/s")
    figures.add(f"{name}: server CPU per next + submit", took.cpu_ms, "ms")
    took.show(figures, name)


if __name__ == "__main__":
    run(measure, __doc__ or "")
