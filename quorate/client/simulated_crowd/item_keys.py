"""Keys of items by their numbers: voters see numbers only, while true labels are stored by key."""

from dataclasses import dataclass, field
from threading import Lock

from quorate.client import Client
from quorate.errors import QuorateError

BLOCK = 1000  # numbers per request: as many as the service lists on a page


@dataclass(frozen=True, eq=False)
class ItemKeys:
    """Cache of the keys of the items of a project, safe to use from several threads.

    Keys are requested when needed, in blocks of numbers. So work can start at once with very many items, and items that
    are added later are found too.

    client: client of a user who may read the project.
    """

    client: Client
    project: int
    _keys: dict[int, str] = field(init=False, default_factory=dict)
    _lock: Lock = field(init=False, default_factory=Lock)

    def of(self, item: int) -> str:
        """Return the key of an item by its number."""
        if item not in self._keys:
            with self._lock:
                self._look_up(item)
        return self._keys[item]

    def _look_up(self, item: int) -> None:
        if item in self._keys:  # another thread has requested it in the meantime
            return
        first = item - item % BLOCK
        self._keys.update(self.client.items.keys(self.project, after=max(first - 1, 0), most=BLOCK))
        if item not in self._keys:
            raise QuorateError(f"project {self.project} has no item {item}: is this the project of the workers?")
