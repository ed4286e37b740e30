"""Benchmarks whose slow measurements are replaced, so that the rows they add can be listed in a moment.

Each function of a module here replaces what one benchmark times, fits, replays or serves, by values of the right shape,
and returns its `measure`. What names the rows and sets their targets stays as it is.
"""

from collections.abc import Callable

import pytest

from benchmarks.harness import Figures

Measure = Callable[[Figures, bool], object]
Stub = Callable[[pytest.MonkeyPatch], Measure]


def replace_all(monkeypatch: pytest.MonkeyPatch, module: object, **values: object) -> None:
    """Replace several names of a module."""
    for name, value in values.items():
        monkeypatch.setattr(module, name, value)


def always(value: object) -> Callable[..., object]:
    """Return a function that returns this value, whatever it is called with."""
    return lambda *_, **__: value
