"""An app for commands: what `quorate` itself says, with or without all its commands."""

from typing import Annotated

import typer

import quorate


def new_app() -> typer.Typer:
    """`quorate`, without commands yet."""
    app = typer.Typer(
        help="People and machines classify items together: consensus from votes, and what the workers are worth.",
        epilog="Start with: quorate simulate votes --out votes.csv, then: quorate aggregate votes.csv",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_quorate)
    return app


def _version(asked: bool) -> None:
    if asked:
        print(f"quorate {quorate.__version__}")
        raise typer.Exit


def _quorate(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """People and machines classify items together: consensus from votes, and what the workers are worth."""
