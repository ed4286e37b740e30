"""Pictures of items: images or texts."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import VotesError
from quorate.plots._style import escape_dollars, hide_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Picture = str | NDArray[Any]
Pictures = Sequence[Picture] | NDArray[Any]

FONT_SIZE = 7.0  # points
CHARACTERS_PER_INCH, LINES_PER_INCH = 112.0, 63.0  # of a font of one point
MARGIN = 0.1  # inches
MAX_LINES = 40


def draw_picture(axes: "Axes", picture: Picture, size: tuple[float, float], font: float = FONT_SIZE) -> None:
    """Draw an image, or a text that is wrapped and truncated to fit; size: (width, height) in inches."""
    hide_ticks(axes)
    if not isinstance(picture, str):
        pixels = _pixels(picture)
        axes.imshow(pixels, cmap="gray", vmin=0, vmax=_white(pixels))
        for side in axes.spines.values():
            side.set_visible(False)
        return
    axes.patch.set_facecolor("#f6f7f8")
    for side in axes.spines.values():
        side.set(visible=True, color="#e3e6e8")
    text = wrap(picture, _characters(size[0], font), int(LINES_PER_INCH / font * (size[1] - MARGIN)))
    position = (0.06 / size[0], 1 - 0.05 / size[1])
    axes.text(*position, text, transform=axes.transAxes, va="top", fontsize=font, linespacing=1.25, clip_on=True)


def text_height(text: str, width: float, font: float = FONT_SIZE) -> float:
    """Return the height in inches of a text that is wrapped to a width in inches."""
    n_lines = wrap(text, _characters(width, font), MAX_LINES).count("\n") + 1
    return (n_lines + 0.5) * font / LINES_PER_INCH + MARGIN


def _characters(width: float, font: float) -> int:
    return round(CHARACTERS_PER_INCH / font * (width - MARGIN))


def wrap(text: str, width: int, lines: int) -> str:
    """Wrap a text into lines of a width in characters, truncated with "…" after the last line.

    >>> wrap("one two three four", 9, 2)
    'one two\\nthree …'
    """
    words = " ".join(text.split())
    return escape_dollars("\n".join(textwrap.wrap(words, max(width, 1), max_lines=max(lines, 1), placeholder=" …")))


def require_pictures(pictures: Pictures, n_tasks: int) -> None:
    """Raise an error unless there is one picture per task."""
    if len(pictures) != n_tasks:
        raise VotesError(f"got {len(pictures):,} pictures for {n_tasks:,} tasks: pass one image or text per task")


def _pixels(picture: Any) -> NDArray[Any]:
    """Return an image as height x width (x 3), as uint8 or floats from 0 to 1; channels may come first."""
    pixels = np.asarray(picture)
    if pixels.ndim == 3 and pixels.shape[0] in (1, 3) and pixels.shape[2] not in (1, 3, 4):
        pixels = pixels.transpose(1, 2, 0)
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
    if not pixels.size or pixels.dtype.kind not in "uifb" or not (pixels.ndim == 2 or pixels.shape[2:] in ((3,), (4,))):
        raise VotesError(
            f"a picture must be a text, or an array of height x width x 3, got {pixels.dtype} {pixels.shape}"
        )
    if not (pixels.min() >= 0 and pixels.max() <= _white(pixels)):  # NaN too
        raise VotesError(f"a picture of {pixels.dtype} must have values from 0 to {_white(pixels)}: scale them")
    return pixels


def _white(pixels: NDArray[Any]) -> int:
    return 255 if pixels.dtype.kind in "ui" else 1
