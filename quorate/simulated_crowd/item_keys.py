"""Keys of items by their numbers: voters are shown a number only, while the truth is known by key."""

from dataclasses import dataclass, field
from threading import Lock

from quorate.client import Client
from quorate.errors import QuorateError


@dataclass(frozen=True, eq=False)
class ItemKeys:
    """Finds the keys of a project's items, for any number of threads.

    All items are listed once. An item that is not among them came later, so those behind the last are listed then.

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
                self._look_for(item)
        return self._keys[item]

    def _look_for(self, item: int) -> None:
        last = max(self._keys, default=0)
        if item not in self._keys:  # another thread may have listed it meanwhile
            self._list_after(last)
        if item not in self._keys and last:  # numbers are given out before items are stored, so one may come late
            self._list_after(0)
        if item not in self._keys:
            raise QuorateError(f"project {self.project} lists no item {item}: is the client that of a requester?")

    def _list_after(self, last: int) -> None:
        self._keys.update(self.client.items.keys(self.project, after=last))
