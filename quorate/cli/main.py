"""Entry point of `quorate`: run a command, and turn every error into one line."""

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import typer

from quorate.cli import console
from quorate.cli.renamed import current_names
from quorate.errors import QuorateError

OUT_OF_MEMORY = "this needs more memory than there is: use fewer or smaller items, tasks or layers"
INTERRUPTED = 130  # the exit code of Ctrl-C
COMPLETION = "_QUORATE_COMPLETE"  # set by the shell where it wants to complete a line


def main(arguments: list[str] | None = None) -> None:
    """Run a command; print any error as one line on stderr, with exit code 2."""
    _prepare_streams()
    try:
        words = current_names(sys.argv[1:] if arguments is None else arguments)
        code = _app(words)(args=words, prog_name="quorate", standalone_mode=False)
        sys.stdout.flush()
    except QuorateError as error:
        code = _fail(str(error))
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except MemoryError:
        code = _fail(OUT_OF_MEMORY)
    except BrokenPipeError:
        code = _discard_stdout()  # the reader of our output has gone (`quorate ... | head`): leave quietly
    except OSError as error:
        _discard_stdout()
        code = _fail(f"the output cannot be written: {error.strerror or error}")
    except Exception as error:
        code = _fail_by_usage(error)
    if code == INTERRUPTED:
        _fail("stopped")
    sys.exit(code if isinstance(code, int) else 0)


def _app(arguments: list[str]) -> Any:
    """Return the app with only the command that is called, since importing all takes longer; otherwise with all."""
    from quorate.cli.command_list import COMMANDS, add_command, new_app

    words = _words_to_complete() if COMPLETION in os.environ else arguments
    if words[:1] and words[0] in COMMANDS:
        app = new_app()
        add_command(app, words[0])
        return app
    from quorate.cli.app import app

    return app


def _words_to_complete() -> list[str]:
    """Return the words after `quorate` in the line that the shell wants to complete."""
    line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")  # the latter in bash
    return line.split()[1:]


def _prepare_streams() -> None:
    """Send closed output nowhere, and print characters that a terminal cannot show as question marks."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - it stays open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _discard_stdout() -> int:
    """Point stdout at nothing, so that Python does not complain when it flushes at the end; return the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _fail_by_usage(error: Exception) -> int:
    """Print an error of usage. Typer has its own copy of click, whose errors are known by `format_message`."""
    if isinstance(error, RuntimeError) and any(word in str(error).lower() for word in ("memory", "alloc", "overflow")):
        return _fail(OUT_OF_MEMORY)  # torch has no error of its own for it
    if not hasattr(error, "format_message"):
        raise error
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message())
        return 2
    return _fail(f"{error.format_message()} (see --help)")


def _fail(message: str) -> int:
    print(f"quorate: {console.clean(' '.join(message.split()))}", file=sys.stderr)
    return 2
