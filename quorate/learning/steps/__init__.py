"""Optimisation steps: the update of the weights of a network for one batch.

Each file defines one step. The optimiser and the learning rate are part of the recipe, in `quorate.learning.training`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.learning.steps.adaptive_sam import AdaptiveSam as AdaptiveSam
    from quorate.learning.steps.plain import Plain as Plain
    from quorate.learning.steps.sam import Sam as Sam
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
