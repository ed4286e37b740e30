"""What all figures share: colours, lines, names that fit. matplotlib is imported only when a figure is drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from quorate.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

BLUE, ORANGE, GREY = "#2a6f97", "#d1495b", "#6c757d"
COLOURS = (BLUE, ORANGE, "#e09f3e", "#5a9367", "#6d597a", "#7f5539", "#48bfe3", "#b5179e", "#8a9a5b", "#343a40")
STYLE: Any = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titlesize": 11,
    "axes.titlepad": 10,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "axes.axisbelow": True,
    "font.size": 9,
    "legend.frameon": False,
    "svg.hashsalt": "quorate",
}


@contextmanager
def style() -> Iterator[None]:
    """Apply the style of all figures within the context; raise a one-line error if matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        raise MissingExtraError("figures need matplotlib: pip install matplotlib") from None
    with matplotlib.rc_context(STYLE):
        yield


def new_figure(width: float, height: float, *, fitted: bool = True) -> "Figure":
    """Return an empty figure of a size in inches; fitted: whether the layout is adjusted so that no text is cut off.

    It is not registered with pyplot: no window opens, and it need not be closed.
    """
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained" if fitted else None)


def figure_of(axes: "Axes") -> "Figure":
    """Return the root figure of axes."""
    figure: Any = axes.get_figure(root=True)
    return figure


def use_integer_ticks(axis: "Axis") -> None:
    """Set ticks at integers only."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(integer=True, nbins="auto", steps=[1, 2, 5, 10], min_n_ticks=1))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def use_power_of_ten_ticks(axis: "Axis", lowest: int, highest: int, between: tuple[int, ...] = (2, 5)) -> None:
    """Set ticks of an axis of counts at powers of ten, and at multiples `between` them if the range is small."""
    from matplotlib.ticker import NullFormatter, NullLocator, StrMethodFormatter

    steps = (1, *between) if highest < 300 * max(lowest, 1) else (1,)
    ticks = [step * 10**power for power in range(len(str(highest))) for step in steps]
    axis.set_ticks([tick for tick in [0, *ticks] if lowest <= tick <= highest])
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def hide_ticks(axes: "Axes") -> None:
    """Remove ticks and grid, as around a picture."""
    axes.set(xticks=[], yticks=[])
    axes.grid(visible=False)


def write_note(axes: "Axes", text: str) -> None:
    """Write a line in the middle of empty axes."""
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=GREY)


def short(name: object, max_length: int = 18) -> str:
    """Return a name on one line, truncated to a length.

    >>> short("a name that is too long", 10), short("2 $ or 3 $")
    ('a name th…', '2 \\\\$ or 3 \\\\$')
    """
    text = " ".join(str(name).split())
    return escape_dollars(text if len(text) <= max_length else text[: max_length - 1].rstrip() + "…")


def escape_dollars(text: str) -> str:
    """Escape dollar signs, with which matplotlib would begin a formula."""
    return text.replace("$", r"\$")


def plural(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural.

    >>> plural(1, "task"), plural(1200, "vote")
    ('1 task', '1,200 votes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
