"""Targets: from votes and their posterior to the training targets of a learner.

Each file defines one kind of target; `base` has what they share. Losses between predictions and targets are in
`quorate.learning.losses`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.learning.targets.hard import Hard as Hard
    from quorate.learning.targets.smoothed import Smoothed as Smoothed
    from quorate.learning.targets.soft import Soft as Soft
    from quorate.learning.targets.soft_hard import SoftHard as SoftHard
    from quorate.learning.targets.stacked import Stacked as Stacked
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
