"""Heads of networks: from features to classes, and from classes to votes.

Each file defines one head; `base` has what they share. Bases, which turn items into features, are in
`quorate.learning.bases`; the targets of training are in `quorate.learning.targets`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.learning.heads.anno_reg import AnnoReg as AnnoReg
    from quorate.learning.heads.annot_mix import AnnotMix as AnnotMix
    from quorate.learning.heads.conal import Conal as Conal
    from quorate.learning.heads.crowd_layer import CrowdLayer as CrowdLayer
    from quorate.learning.heads.geo_crowd_net import GeoCrowdNet as GeoCrowdNet
    from quorate.learning.heads.multi_task import MultiTask as MultiTask
    from quorate.learning.heads.plain import Plain as Plain
    from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet as WeightedDoctorNet
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
