"""Figures. The only home of matplotlib, which is imported when the first one is drawn."""

from quorate.plots.consensus import class_shares, confidence, overview, worker_points
from quorate.plots.files import image, require_kind

__all__ = ["class_shares", "confidence", "image", "overview", "require_kind", "worker_points"]
