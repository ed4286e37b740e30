import os
import subprocess
import sys

import pytest

from quorate.cli.command_list import COMMANDS, GROUPS
from tests.cli.running import Run


def test_version_and_help(run: Run) -> None:
    assert run("--version").out.startswith("quorate 0.")
    votes = ("aggregate", "compare", "workers", "agreement", "simulate votes", "convert")
    for command in ("", *votes, "train", "predict", "methods"):
        outcome = run(f"{command} --help".strip())
        assert outcome.code == 0
        assert "Usage: quorate" in outcome.out
        assert not command or "Examples:" in outcome.out


def test_help_begins_with_the_pitch_and_groups_the_commands(run: Run) -> None:
    text = " ".join(run("--help").out.split())
    assert "Turn crowdsourced votes and model predictions into labels, and buy another vote only where it is" in text
    positions = [text.index(f"─ {group} ─") for group in GROUPS]
    assert positions == sorted(positions)
    for group, names in GROUPS.items():
        end = [*positions, len(text)][list(GROUPS).index(group) + 1]
        assert all(f"│ {name} " in text[text.index(f"─ {group} ─") : end] for name in names)
    assert "replay" not in text


@pytest.mark.parametrize("width", ["80", "120"])
@pytest.mark.parametrize("name", [*COMMANDS, "simulate votes", "simulate crowd"])
def test_help_is_readable(run: Run, monkeypatch: pytest.MonkeyPatch, name: str, width: str) -> None:
    """Check that nothing is cut, and that every command has an example."""
    monkeypatch.setenv("COLUMNS", width)
    code, out, err = run(f"{name} --help")
    assert (code, err) == (0, "")
    assert "…" not in out
    assert "<bool>" not in out
    assert f"quorate {name}" in out.partition("Examples:")[2]


@pytest.mark.parametrize(
    ("line", "expected"),
    [("quorate ag", ["aggregate", "agreement"]), ("quorate decide --cost", ["--cost-error", "--cost-matrix"])],
)
def test_the_shell_completes(line: str, expected: list[str]) -> None:
    words = {"_QUORATE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    command = [sys.executable, "-m", "quorate"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | words)
    assert done.stdout.split() == expected


def test_completion_can_be_installed(run: Run) -> None:
    assert "--install-completion" in run("--help").out
