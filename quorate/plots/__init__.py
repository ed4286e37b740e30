"""Figures. The only home of matplotlib, which is imported when the first one is drawn."""

from quorate.plots.consensus import class_shares, confidence, overview, worker_points
from quorate.plots.cost_points import CostPoint, cost_against_error
from quorate.plots.entropy_points import entropy_vs_waum
from quorate.plots.export import image, require_kind
from quorate.plots.forest_plot import ForestRow, forest
from quorate.plots.histograms import effort_load_entropy
from quorate.plots.item_rows import worst_items
from quorate.plots.item_votes import votes_of_item
from quorate.plots.reliability_diagram import reliability
from quorate.plots.risk_curve import risk_coverage
from quorate.plots.worker_heat_map import labels_by_worker

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
]
