"""Figures as the bytes of image files."""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

from quorate.errors import FileError
from quorate.plots._style import new_figure, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def image(figure: "Figure", kind: str) -> bytes:
    """Return a figure as the bytes of an image file; kind: such as "png", "svg" or "pdf"."""
    content = BytesIO()
    metadata = {"Date": None} if kind == "svg" else None  # no date: the same figure gives the same file
    with style(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a name may hold characters that the font lacks
        figure.savefig(content, format=kind, dpi=150, metadata=metadata)
    return content.getvalue()


def require_kind(kind: str) -> None:
    """Raise an error if matplotlib cannot write this kind of image; call it before long computations."""
    with style():
        kinds = sorted(new_figure(1, 1).canvas.get_supported_filetypes())
    if kind not in kinds:
        raise FileError(f"cannot draw {kind!r}: use one of .{', .'.join(kinds)}")
