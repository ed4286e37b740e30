"""Waiting for what another process, thread or page does: for the state, never for a time."""

import time
from collections.abc import Callable

PATIENCE = 120.0  # seconds: it only takes them where something is wrong, and other tests may keep the machine busy


def until(true: Callable[[], bool], what: str, rest: Callable[[], object] = lambda: time.sleep(0.02)) -> None:
    """Look again and again. rest: what is done between two looks."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"not in {PATIENCE:g} s: {what}"
        rest()
