"""Examples run as they are."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_demo(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "demo.py"), "--folder", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for part in ("Agreement over", "Consensus", "30 workers", "methods on 500 tasks with gold"):
        assert part in done.stdout
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {"votes.csv", "gold.csv", "labels.csv", "consensus.png"}
