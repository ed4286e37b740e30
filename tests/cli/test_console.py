"""Lines reach a program that waits for them, and bars are drawn where there is room."""

import os
import subprocess
import sys
import threading

import pytest

from quorate.cli.console import bar, open_bar

PATIENCE = 60.0  # seconds: taken only where the line does not come
PROGRAM = "import sys; from quorate.cli import console; console.line('ready'); sys.stdin.read()"


def test_a_line_comes_through_a_pipe_while_the_program_goes_on() -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=buffered
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        guard = threading.Timer(PATIENCE, program.kill)
        guard.start()
        assert program.stdout.readline() == "ready\n"
        guard.cancel()
        program.stdin.close()


def test_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert [bar(share, 2) for share in (0, 0.25, 0.5, 0.53, 1, 2, float("nan"))] == [
        "  ",
        "▌ ",
        "█ ",
        "█ ",
        "██",
        "██",
        "· ",
    ]


def test_bars_of_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    ends = [(0.0, 0.5), (0.5, 1.0), (0.74, 0.76), (1.0, 1.0), (float("nan"), float("nan"))]
    assert [open_bar(low, high, 4) for low, high in ends] == ["▒▒  ", "██▒▒", "███▒", "████", "·   "]


def test_bars_give_way_to_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert bar(0.5) == open_bar(0.2, 0.8) == ""
