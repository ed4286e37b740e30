"""`quorate`: the commands put together, and how errors look."""

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

import quorate
from quorate.cli import (
    aggregate,
    agreement,
    backup,
    calibrate,
    certify,
    compare,
    convert,
    decide,
    doctor,
    forecast,
    identify,
    learner,
    methods,
    predict,
    replay,
    restore,
    serve,
    show,
    simulate,
    train,
    workers,
)
from quorate.errors import QuorateError

TOO_LARGE = "this needs more memory than there is: make what is large smaller"
STOPPED = 130  # the exit code of Ctrl-C

app = typer.Typer(
    help="People and machines classify items together: consensus from votes, and what the workers are worth.",
    epilog="Start with: quorate simulate votes --out votes.csv, then: quorate aggregate votes.csv",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
LABELS = (aggregate, compare, workers, identify, agreement)
SERVICE = (serve, learner, backup, restore, doctor)
OTHERS = (train, predict, calibrate, decide, forecast, certify, replay, convert, methods)
for module in (*LABELS, *OTHERS, *SERVICE):
    app.command(name=module.__name__.rsplit(".", 1)[-1], epilog=module.EXAMPLES)(module.command)
app.add_typer(simulate.app, name="simulate")


def _version(asked: bool) -> None:
    if asked:
        print(f"quorate {quorate.__version__}")
        raise typer.Exit


@app.callback()
def quorate_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """People and machines classify items together: consensus from votes, and what the workers are worth."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command; whatever goes wrong becomes one line on stderr, and exit code 2."""
    _ready_streams()
    try:
        code = app(args=arguments, prog_name="quorate", standalone_mode=False)
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
    print(f"quorate: {show.clean(' '.join(message.split()))}", file=sys.stderr)
    return 2
