import json
import sys
from pathlib import Path

import pytest

from benchmarks.aggregation import crowds
from benchmarks.harness import Figures, call_in_child, in_child, run


def test_a_missed_target_shows_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure(figures: Figures, quick: bool) -> None:
        assert quick
        figures.add("light", 1, "s", most=2)
        figures.add("fast", 3, "x", least=10, note="of 3 runs")
        figures.add("yardstick", 5, "s")

    monkeypatch.setattr(sys, "argv", ["bench", "--quick", "--json", str(tmp_path / "out.json")])
    with pytest.raises(SystemExit) as stop:
        run(measure, "a benchmark")
    assert stop.value.code == 1
    assert [row["verdict"] for row in json.loads((tmp_path / "out.json").read_text())] == ["pass", "MISS", "shown"]
    shown = capsys.readouterr().out
    assert "fast (of 3 runs) " in shown
    assert "3 rows, 1 of 2 targets missed; took 0 s" in shown


def test_a_child_tells_what_it_took() -> None:
    child = in_child("-c", "print('noise'); print(1.5, 20)")
    assert (child.seconds, child.megabytes) == (1.5, 20)


def test_a_function_is_called_in_a_child(tmp_path: Path) -> None:
    path = str(crowds.write(tmp_path, 500)["csv, by task"])
    child = call_in_child("benchmarks.aggregation.readers:report", "quorate", path, path)
    assert child.seconds > 0
    assert child.megabytes > 1


def test_made_up_files_hold_the_same_votes(tmp_path: Path) -> None:
    import quorate

    for path in crowds.write(tmp_path, 500).values():
        votes = quorate.read_votes(path)
        assert (len(votes), votes.n_tasks) == (500, 100)
