"""Examples run as they are."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.selection import NEEDS_TORCH

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.slow


def test_tour(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "tour.py"), "--folder", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for part in ("Agreement over", "Consensus", "30 workers", "methods on 500 tasks with gold"):
        assert part in done.stdout
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {"votes.csv", "gold.csv", "labels.csv", "consensus.png"}


@pytest.fixture
def torch() -> ModuleType:
    return pytest.importorskip("torch", reason=NEEDS_TORCH)


def learn(*options: str) -> str:
    command = [sys.executable, str(ROOT / "examples" / "learn_digits.py"), "--epochs", "5", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.long
@pytest.mark.usefixtures("torch")
def test_learn_digits() -> None:
    shown = learn()
    assert "3,600 votes of 40 workers on 1,200 items" in shown
    for part in ("accuracy of majority", "learner", "MLP with CrowdLayer", "Linear, joint EM"):
        assert part in shown


@pytest.mark.long
@pytest.mark.needs_data
@pytest.mark.usefixtures("torch")
def test_learn_labelme() -> None:
    assert "LabelMe: 2,547 votes of 59 workers on 1,000 items" in learn("--labelme")


@pytest.mark.long
@pytest.mark.usefixtures("torch")
def test_three_circles(tmp_path: Path) -> None:
    figure = tmp_path / "circles.png"
    command = [sys.executable, str(ROOT / "examples" / "three_circles.py"), "--out", str(figure)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for part in ("gbm", "of the 53 left out", "without ambiguous points"):
        assert part in done.stdout
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_decide() -> None:
    command = [sys.executable, str(ROOT / "examples" / "decide.py"), "--tasks", "300"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "300 items, an error costs 20 votes" in done.stdout
    costs = [float(line.split("%")[1].split()[0]) for line in done.stdout.splitlines() if "%" in line]
    assert costs[-1] == min(costs)  # asking where it pays is the cheapest
