"""What a command printed, and the files that most commands are tried on."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

CSV = "task,worker,label\na,x,no\na,y,yes\na,z,no\nb,x,no\nb,y,no\nc,x,yes\nc,z,yes\n"
GOLD = "task,label\na,no\nb,no\nc,yes\n"


class Outcome(NamedTuple):
    """The exit code of a command, and what it wrote to stdout and stderr."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[[str], Outcome]
