"""Reading and writing files: votes, gold labels, items, images and data sets.

The other packages of the library work in memory. File formats are in `formats`, values such as `Votes` in
`quorate.data`. Saved classifiers are in `quorate.learning.saving`, uploads to the service in `quorate.service.files`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.io.datasets import Dataset
    from quorate.io.gold import read_gold, read_labels
    from quorate.io.images import read_images
    from quorate.io.items import Items, read_items
    from quorate.io.votes import read_votes, write_posterior, write_votes

_EXPORTS: Exports = {
    "Dataset": ("quorate.io.datasets", "Dataset"),
    "Items": ("quorate.io.items", "Items"),
    "read_gold": ("quorate.io.gold", "read_gold"),
    "read_images": ("quorate.io.images", "read_images"),
    "read_items": ("quorate.io.items", "read_items"),
    "read_labels": ("quorate.io.gold", "read_labels"),
    "read_votes": ("quorate.io.votes", "read_votes"),
    "write_posterior": ("quorate.io.votes", "write_posterior"),
    "write_votes": ("quorate.io.votes", "write_votes"),
}

__all__ = [
    "Dataset",
    "Items",
    "read_gold",
    "read_images",
    "read_items",
    "read_labels",
    "read_votes",
    "write_posterior",
    "write_votes",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
