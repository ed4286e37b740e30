"""How much a test tries: little in `make test`, much in `make test-long`."""

import os

VARIABLE = "QUORATE_LONG_TESTS"  # set by `pytest --long`, before any test module is imported


def is_long() -> bool:
    """Return whether this is a long run."""
    return bool(os.environ.get(VARIABLE))


def sized(short: int, long: int) -> int:
    """Return how many examples to try: `short` in a usual run, `long` in a long one."""
    return long if is_long() else short
