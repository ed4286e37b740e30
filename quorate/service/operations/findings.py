"""What `quorate doctor` finds: one line each, with what to do where something is amiss."""

from dataclasses import dataclass

OK, WARN, BAD = "ok", "warn", "bad"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    level: str
    found: str
    to_do: str = ""


def good(name: str, found: str) -> Finding:
    """All is well."""
    return Finding(name, OK, found)


def warn(name: str, found: str, to_do: str) -> Finding:
    """It works, but somebody should look."""
    return Finding(name, WARN, found, to_do)


def bad(name: str, found: str, to_do: str) -> Finding:
    """It does not work, or not for long."""
    return Finding(name, BAD, found, to_do)
