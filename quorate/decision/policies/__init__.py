"""Policies: for every task, accept a label or ask for one more vote.

One file is one policy. Files that begin with `_`, and `consensus`, are shared by several policies. How votes and
classifiers are combined is in `quorate.decision.fusion`, the value of a further vote in `quorate.decision.lookahead`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.decision.policies.crowd_only import CrowdOnly as CrowdOnly
    from quorate.decision.policies.expected_loss import ExpectedLoss as ExpectedLoss
    from quorate.decision.policies.first_agreeing import FirstAgreeing as FirstAgreeing
    from quorate.decision.policies.fixed_votes import FixedVotes as FixedVotes
    from quorate.decision.policies.krivosheev import Krivosheev as Krivosheev
    from quorate.decision.policies.machine_only import MachineOnly as MachineOnly
    from quorate.decision.policies.nguyen import Nguyen as Nguyen
    from quorate.decision.policies.swap import Swap as Swap
    from quorate.decision.policies.threshold import Threshold as Threshold
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
