"""Keys of items by their numbers: voters are shown a number only, while the truth is known by key."""

from dataclasses import dataclass, field
from threading import Lock

from quorate.client import Client
from quorate.errors import QuorateError

BLOCK = 1000  # numbers whose keys are asked for at once: as many as the service lists on a page


@dataclass(frozen=True, eq=False)
class ItemKeys:
    """Finds the keys of a project's items, for any number of threads.

    Keys are asked for as they are needed, a block of numbers in one request, and kept. So the first ones are there at
    once also where there are very many items, and items that come later are found too.

    client: of somebody who may read the project.
    """

    client: Client
    project: int
    _keys: dict[int, str] = field(init=False, default_factory=dict)
    _turn: Lock = field(init=False, default_factory=Lock)

    def of(self, item: int) -> str:
        """Return the key of an item by its number."""
        if item not in self._keys:
            with self._turn:
                self._look_up(item)
        return self._keys[item]

    def _look_up(self, item: int) -> None:
        if item in self._keys:  # another thread has asked for it meanwhile
            return
        first = item - item % BLOCK
        self._keys.update(self.client.items.keys(self.project, after=max(first - 1, 0), most=BLOCK))
        if item not in self._keys:
            raise QuorateError(f"project {self.project} has no item {item}: is it the project that people work on?")
