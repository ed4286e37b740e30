"""Figures as the bytes of image files."""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

from quorate.errors import FileError
from quorate.plots._style import new_figure, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def image(figure: "Figure", kind: str) -> bytes:
    """A figure as the bytes of an image file: "png", "svg", "pdf"."""
    content = BytesIO()
    undated = {"Date": None} if kind == "svg" else None  # the same figure gives the same file
    with style(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a name may hold signs that the font lacks
        figure.savefig(content, format=kind, dpi=150, metadata=undated)
    return content.getvalue()


def require_kind(kind: str) -> None:
    """Refuse a kind of image that cannot be made; asked before long work."""
    with style():
        known = sorted(new_figure(1, 1).canvas.get_supported_filetypes())
    if kind not in known:
        raise FileError(f"cannot draw {kind!r}: use one of .{', .'.join(known)}")
