"""Lines reach a program that waits for them, whatever the environment says about buffering."""

import os
import subprocess
import sys
import threading

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
