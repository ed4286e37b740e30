"""The commands of `quorate` by group of the help, and the app that they are added to."""

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import quorate

PITCH = (
    "Turn crowdsourced votes and model predictions into labels, and buy another vote only where it is worth its price."
)
GROUPS = {  # title in the help -> commands
    "Votes": ("aggregate", "compare", "workers", "agreement", "identify", "convert", "methods"),
    "Classifiers": ("train", "predict", "calibrate"),
    "Decisions": ("decide", "forecast", "certify", "try-policies"),
    "Service": ("serve", "learner", "backup", "restore", "doctor"),
}
COMMANDS = {name: group for group, names in GROUPS.items() for name in names}


class Command(TyperCommand):
    """A command whose help shows flags without a type: they take no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, flags without the name of a value."""
        return _without_types(super().get_params(ctx))


class Group(TyperGroup):
    """A group of commands whose help shows flags without a type."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, flags without the name of a value."""
        return _without_types(super().get_params(ctx))


def _without_types(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return parameters


def new_app() -> typer.Typer:
    """Return the app `quorate`, without commands yet."""
    app = typer.Typer(
        cls=Group,
        help=PITCH,
        epilog="Start with: quorate simulate votes --out votes.csv, then: quorate aggregate votes.csv",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_quorate)
    return app


def add_command(app: typer.Typer, name: str) -> None:
    """Import the module of a command, and add the command to the app."""
    module = import_module(f"quorate.cli.commands.{name.replace('-', '_')}")
    text = help_of(module.command)
    app.command(name, cls=Command, help=text, epilog=module.EXAMPLES, rich_help_panel=COMMANDS[name])(module.command)


def help_of(command: Callable[..., Any]) -> str:
    r"""Return the docstring of a command as the text of its help, one line per paragraph.

    >>> def command() -> None:
    ...     '''Do this.
    ...
    ...     It is long,
    ...     so it has two lines.
    ...     '''
    >>> help_of(command)
    'Do this.\n\nIt is long, so it has two lines.'
    """
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"quorate {quorate.__version__}")
        raise typer.Exit


def _quorate(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass
