"""Figures with matplotlib, and a gallery of ambiguous items as an HTML page.

matplotlib is imported only here, and only when a figure is drawn. The numbers in the figures are computed in
`quorate.metrics`, `quorate.quality` and `quorate.ambiguity`; pages of the service are in `web/`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.plots.consensus import class_shares, confidence, overview, worker_points
    from quorate.plots.cost_points import CostPoint, cost_against_error
    from quorate.plots.entropy_points import entropy_vs_waum
    from quorate.plots.export import image, require_kind
    from quorate.plots.forest_plot import ForestRow, forest
    from quorate.plots.gallery import write_gallery
    from quorate.plots.histograms import effort_load_entropy
    from quorate.plots.item_rows import worst_items
    from quorate.plots.item_votes import votes_of_item
    from quorate.plots.reliability_diagram import reliability
    from quorate.plots.risk_curve import risk_coverage
    from quorate.plots.worker_heat_map import labels_by_worker

_EXPORTS: Exports = {
    "CostPoint": ("quorate.plots.cost_points", "CostPoint"),
    "ForestRow": ("quorate.plots.forest_plot", "ForestRow"),
    "class_shares": ("quorate.plots.consensus", "class_shares"),
    "confidence": ("quorate.plots.consensus", "confidence"),
    "cost_against_error": ("quorate.plots.cost_points", "cost_against_error"),
    "effort_load_entropy": ("quorate.plots.histograms", "effort_load_entropy"),
    "entropy_vs_waum": ("quorate.plots.entropy_points", "entropy_vs_waum"),
    "forest": ("quorate.plots.forest_plot", "forest"),
    "image": ("quorate.plots.export", "image"),
    "labels_by_worker": ("quorate.plots.worker_heat_map", "labels_by_worker"),
    "overview": ("quorate.plots.consensus", "overview"),
    "reliability": ("quorate.plots.reliability_diagram", "reliability"),
    "require_kind": ("quorate.plots.export", "require_kind"),
    "risk_coverage": ("quorate.plots.risk_curve", "risk_coverage"),
    "votes_of_item": ("quorate.plots.item_votes", "votes_of_item"),
    "worker_points": ("quorate.plots.consensus", "worker_points"),
    "worst_items": ("quorate.plots.item_rows", "worst_items"),
    "write_gallery": ("quorate.plots.gallery", "write_gallery"),
}

__all__ = [
    "CostPoint",
    "ForestRow",
    "class_shares",
    "confidence",
    "cost_against_error",
    "effort_load_entropy",
    "entropy_vs_waum",
    "forest",
    "image",
    "labels_by_worker",
    "overview",
    "reliability",
    "require_kind",
    "risk_coverage",
    "votes_of_item",
    "worker_points",
    "worst_items",
    "write_gallery",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
