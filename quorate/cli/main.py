"""`quorate`: runs a command, and how errors look."""

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import typer

from quorate.cli import console
from quorate.errors import QuorateError

TOO_LARGE = "this needs more memory than there is: make what is large smaller"
STOPPED = 130  # the exit code of Ctrl-C
OF_THE_SERVICE = ("serve", "learner", "backup", "restore", "doctor")  # a server must be back soon: loaded alone


def main(arguments: list[str] | None = None) -> None:
    """Run a command; whatever goes wrong becomes one line on stderr, and exit code 2."""
    _ready_streams()
    try:
        code = _app(sys.argv[1:] if arguments is None else arguments)(
            args=arguments, prog_name="quorate", standalone_mode=False
        )
        sys.stdout.flush()
    except QuorateError as error:
        code = _fail(str(error))
    except (typer.Abort, KeyboardInterrupt):
        code = STOPPED
    except MemoryError:
        code = _fail(TOO_LARGE)
    except BrokenPipeError:
        code = _leave_stdout()  # the reader of our output has gone (`quorate ... | head`): leave quietly
    except OSError as error:
        _leave_stdout()
        code = _fail(f"the output cannot be written: {error.strerror or error}")
    except Exception as error:
        code = _fail_by_usage(error)
    if code == STOPPED:
        _fail("stopped")
    sys.exit(code if isinstance(code, int) else 0)


def _app(arguments: list[str]) -> Any:
    """The commands: all of them, or the only one that is wanted."""
    if arguments[:1] and arguments[0] in OF_THE_SERVICE:
        from quorate.cli.base_app import new_app

        module = import_module(f"quorate.cli.commands.{arguments[0]}")
        alone = new_app()
        alone.command(name=arguments[0], epilog=module.EXAMPLES)(module.command)
        return alone
    from quorate.cli.app import app

    return app


def _ready_streams() -> None:
    """Output that is closed goes nowhere; signs that a terminal cannot show become question marks."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - it stays open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _leave_stdout() -> int:
    """Point stdout at nothing, so that Python finds nothing to complain of when it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _fail_by_usage(error: Exception) -> int:
    """A wrong call. Typer brings its own copy of click, whose errors are told by how they offer their message."""
    if isinstance(error, RuntimeError) and any(word in str(error).lower() for word in ("memory", "alloc", "overflow")):
        return _fail(TOO_LARGE)  # torch has no error of its own for it
    if not hasattr(error, "format_message"):
        raise error
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message())
        return 2
    return _fail(f"{error.format_message()} (see --help)")


def _fail(message: str) -> int:
    print(f"quorate: {console.clean(' '.join(message.split()))}", file=sys.stderr)
    return 2
