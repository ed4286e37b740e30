"""Former names of public parameters and attributes: still accepted, with a warning.

The warning is a `FutureWarning`, which Python shows to everybody. A `DeprecationWarning` is hidden by default unless
the call stands in `__main__`, so most users would first notice a rename when the former name is removed.
"""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def renamed_parameters(*, since: str, **new_names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts keyword arguments by their former names, with a warning.

    Args:
        since: the version in which the parameters were renamed.
        new_names: former name of a parameter -> its name now.

    >>> @renamed_parameters(since="0.2", colour="color")
    ... def paint(*, color: str) -> str:
    ...     return color
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     paint(colour="red")
    'red'
    >>> print(caught[0].message)
    paint(): the parameter 'colour' is called 'color' since version 0.2: use that, the former name will be removed
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old, new in new_names.items():
                if old not in kwargs:
                    continue
                if new in kwargs:
                    raise TypeError(
                        f"{function.__name__}() got both {old!r} and {new!r}, its name now: give {new!r} only"
                    )
                warn_renamed(f"{function.__name__}(): the parameter {old!r}", new, since=since, stacklevel=3)
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate


def warn_renamed(what: str, new: str, *, since: str, stacklevel: int = 3) -> None:
    """Warn that something is used by its former name.

    Args:
        what: the kind of thing and its former name, such as "the attribute 'place'".
        new: its name now.
        since: the version in which it was renamed.
        stacklevel: as in `warnings.warn`; 3 is the caller of the function that calls this one.
    """
    message = f"{what} is called {new!r} since version {since}: use that, the former name will be removed"
    warnings.warn(message, FutureWarning, stacklevel=stacklevel)
