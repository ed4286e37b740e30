"""Lookup of a task by its name, with an error that suggests similar names."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import numpy as np

from quorate.data.ids import TEXT, Names, as_names, shown
from quorate.errors import UnknownNameError, VotesError

MAX_COMPARED = 20_000  # names that are compared with a misspelt one
MAX_LISTED = 3


class TasksByName:
    """Base of values with one row per task: `len`, `in` and iteration go by the names of the tasks."""

    tasks: Names

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tasks.tolist())

    def __contains__(self, task: object) -> bool:
        return find_name(task, self.tasks) is not None

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Refuse to become an array: numpy would make one of the names of the tasks."""
        raise VotesError(
            f"{type(self).__name__} is not an array: use an attribute of it, such as labels, probs or values"
        )


def find_name(name: Any, names: Names) -> int | None:
    """Return the index of a name, None if it does not occur; 7 and "7" are the same name.

    >>> find_name("7", as_names([5, 7])), find_name("x", as_names([5, 7]))
    (1, None)
    """
    if not isinstance(name, str | int | float | np.generic):
        return None
    wanted = as_names([name])
    if wanted.dtype != names.dtype:
        wanted = wanted.astype(TEXT)
        if names.dtype != TEXT:
            names = names.astype(TEXT)
    matches = np.flatnonzero(names == wanted[0])
    return int(matches[0]) if len(matches) else None


def index_of_task(task: Any, tasks: Names) -> int:
    """Return the index of a task, or raise an error that suggests similar names.

    >>> index_of_task("tsak 2", as_names(["task 1", "task 2"]))
    Traceback (most recent call last):
    quorate.errors.UnknownNameError: there is no task 'tsak 2': did you mean 'task 2'? there are 2 tasks, such as
    'task 1', 'task 2'
    """
    index = find_name(task, tasks)
    if index is None:
        raise UnknownNameError(f"there is no task {shown(task)}: {_suggestion(task, tasks)}{_examples(tasks)}")
    return index


def _suggestion(task: Any, tasks: Names) -> str:
    similar = get_close_matches(str(task), map(str, tasks[:MAX_COMPARED].tolist()), n=1)
    return f"did you mean {similar[0]!r}? " if similar else ""


def _examples(tasks: Names) -> str:
    listed = ", ".join(shown(name) for name in tasks[:MAX_LISTED])
    return f"there are {len(tasks)} tasks" + (f", such as {listed}" if listed else "")
