"""Losses: the distance of predictions from their targets, one number per row.

Each file defines one loss; `base` has what they share. Targets are in `quorate.learning.targets`. Losses of heads that
model each worker are part of the head, in `quorate.learning.heads`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.learning.losses.class_balanced_focal import ClassBalancedFocal as ClassBalancedFocal
    from quorate.learning.losses.cross_entropy import CrossEntropy as CrossEntropy
    from quorate.learning.losses.focal import Focal as Focal
    from quorate.learning.losses.inverse_kl import InverseKl as InverseKl
    from quorate.learning.losses.jensen_shannon import JensenShannon as JensenShannon
    from quorate.learning.losses.kl import Kl as Kl
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
