"""Former names of commands and options: still accepted, with a note on stderr.

Names are deprecated as CONTRIBUTING.md says: a former name is accepted for at least two minor releases.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quorate.cli import console


@dataclass(frozen=True)
class Renamed:
    """An option's name now. convert: turns a value of the former option into one of the new option."""

    name: str
    convert: Callable[[str], str] = str


def _confidence(delta: str) -> str:
    """Return 1 - delta as text; what is no number is left for the option to refuse.

    >>> _confidence("0.05"), _confidence("much")
    ('0.95', 'much')
    """
    try:
        return f"{1 - float(delta):.12g}"
    except ValueError:
        return delta


SINCE = "0.2"
COMMANDS = {"replay": "try-policies"}
OPTIONS = {  # command -> former name of an option -> its name now
    "certify": {"--delta": Renamed("--confidence", _confidence)},
    "decide": {"--probs": Renamed("--machines")},
    "forecast": {"--probs": Renamed("--machines"), "--tasks": Renamed("--n-tasks")},
    "simulate": {"--tasks": Renamed("--n-tasks")},
    "try-policies": {
        "--figure": Renamed("--plot"),
        "--jobs": Renamed("--processes"),
        "--known": Renamed("--n-known-gold"),
        "--probs": Renamed("--machine"),
        "--tasks": Renamed("--most-tasks"),
    },
}


def current_names(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of `quorate` with former names replaced; print a note for each.

    >>> current_names(["aggregate", "votes.csv"])
    ['aggregate', 'votes.csv']
    """
    if not arguments:
        return []
    command = arguments[0]
    if command in COMMANDS:
        _note(f"quorate {command}", f"quorate {COMMANDS[command]}")
        command = COMMANDS[command]
    renamed = OPTIONS.get(command, {})
    current, convert_next = [command], None
    for position, argument in enumerate(arguments[1:], start=1):
        if argument == "--":
            return [*current, *arguments[position:]]
        name, equals, value = argument.partition("=")
        if convert_next is not None:
            current.append(convert_next(argument))
            convert_next = None
        elif name in renamed:
            option = renamed[name]
            _note(name, option.name)
            current.append(f"{option.name}={option.convert(value)}" if equals else option.name)
            convert_next = None if equals else option.convert
        else:
            current.append(argument)
    return current


def _note(former: str, name: str) -> None:
    console.warn(f"{former} is called {name} since version {SINCE}: use that, the former name will be removed")
