from pathlib import Path

import pytest

from quorate.cli.app import main
from tests.cli.running import CSV, GOLD, Outcome, Run


@pytest.fixture
def call(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run commands in an empty folder, for a terminal of 120 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def outcome_of(command: str) -> Outcome:
        with pytest.raises(SystemExit) as stop:
            main(command.split())
        captured = capsys.readouterr()
        assert isinstance(stop.value.code, int)
        return Outcome(stop.value.code, captured.out, captured.err)

    return outcome_of


@pytest.fixture
def run(call: Run, tmp_path: Path) -> Run:
    """Run commands beside seven votes and their gold. A test file that needs other files has a `run` of its own."""
    (tmp_path / "votes.csv").write_text(CSV)
    (tmp_path / "gold.csv").write_text(GOLD)
    return call
