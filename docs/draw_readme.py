"""Picture of the README, light and dark: `python docs/draw_readme.py`.

Left and middle: a run of `quorate.decide` on simulated votes. Right: figures of the last full run of
benchmarks/decision/replays.py. The pictures are SVG text, so that a change of a figure is a change of a line.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parent.parent
IMAGES = Path(__file__).parent / "images"
sys.path.insert(0, str(ROOT))  # for `benchmarks`, from wherever this is run

import quorate  # noqa: E402
from benchmarks.tables import results  # noqa: E402

WIDTH, HEIGHT = 830, 310
FONT = "font-family=\"-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif\""
MONO = 'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"'
CLASSES = ("cat", "dog")
COST_ERROR = 20
SET, ERROR_COST = "cifar10h:resnet110", 100


@dataclass(frozen=True)
class Theme:
    """Colours of a picture."""

    text: str
    muted: str
    line: str
    panel: str
    accept: str
    ask: str


THEMES = {
    "light": Theme("#1f2328", "#59636e", "#d1d9e0", "#f6f8fa", "#1a7f37", "#bc4c00"),
    "dark": Theme("#f0f6fc", "#9198a1", "#3d444d", "#151b23", "#3fb950", "#f0883e"),
}


@dataclass(frozen=True)
class Example:
    """A task of the simulated run: its votes and what was decided."""

    name: str
    votes: tuple[tuple[str, str], ...]  # worker, label
    headline: str
    detail: str
    accepted: bool


def examples() -> list[Example]:
    """Return three tasks of a run: decided by the classifier, by agreeing votes, and not yet."""
    crowd = quorate.simulate_votes(n_tasks=300, votes_per_task=3, classes=CLASSES, seed=4)
    rng = np.random.default_rng(0)
    voted = rng.random(300) < 0.7
    votes = crowd.votes.subset(rows=voted[crowd.votes.task])
    scores = 2.5 * (2 * crowd.gold - 1) + 2.0 * rng.normal(size=300)
    right = 1 / (1 + np.exp(-scores))
    classifier = np.column_stack([1 - right, right])
    decisions = quorate.decide(votes, machines={"classifier": classifier}, cost_error=COST_ERROR)
    asks = decisions.to_frame()["action"].to_numpy() == "ask"
    counts = votes.counts()
    agree, split = counts.max(axis=1) == 3, counts.min(axis=1) > 0
    sure = decisions.probs.max(axis=1)
    chosen = {
        "classifier": np.flatnonzero(~asks & (counts.sum(axis=1) == 0) & (classifier.max(axis=1) > 0.97))[0],
        "agree": np.flatnonzero(~asks & agree & (sure > 0.9))[0],
        "split": np.flatnonzero(asks & split)[0],
    }
    shown = []
    for name, (kind, task) in zip("ABC", chosen.items(), strict=True):
        label = CLASSES[decisions.label[task]]
        headline = f"accept {label}" if kind != "split" else "ask one more person"
        details = {
            "classifier": f"classifier {classifier[task].max():.0%} sure, no vote",
            "agree": f"3 votes agree: {sure[task]:.0%} sure",
            "split": f"{sure[task]:.0%} sure: a vote saves {decisions.value[task]:.1f}, costs 1",
        }
        shown.append(Example(name, _votes_on(votes, int(task)), headline, details[kind], kind != "split"))
    return shown


def _votes_on(votes: quorate.Votes, task: int) -> tuple[tuple[str, str], ...]:
    rows: NDArray[np.intp] = np.flatnonzero(votes.task == task)
    return tuple((f"w{votes.worker[row] + 1}", CLASSES[votes.label[row]]) for row in rows)


def replays() -> dict[str, tuple[float, float]]:
    """Return votes per item and share of wrong labels of three policies on CIFAR-10H with ResNet-110."""
    cells = results("decision/replays")["cells"]
    keys = {"row": SET, "error_cost": ERROR_COST, "condition": "no gold"}
    (cell,) = [cell for cell in cells if all(cell[key] == value for key, value in keys.items())]
    fixed = {f"{n} vote{'s' if n > 1 else ''}": (n, f"{n} votes, dawid_skene") for n in (1, 3, 5)}
    points = {title: (float(n), (cell["losses"][name] - n) / ERROR_COST) for title, (n, name) in fixed.items()}
    return points | {"Quorate": (cell["votes"], cell["error"])}


def draw(theme: Theme) -> str:
    """Return the picture as SVG."""
    shapes = [*_votes_panel(theme), *_verdicts_panel(theme), *_chart(theme)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
    return "\n".join([head, *shapes, "</svg>", ""])


def _votes_panel(theme: Theme) -> Iterator[str]:
    yield _text(12, 24, "votes.csv", theme.text, size=14, bold=True)
    yield _text(12, 44, "+ a classifier's probabilities", theme.muted, size=12)
    yield f'<rect x="12" y="56" width="176" height="{HEIGHT - 100}" rx="6" fill="{theme.panel}" stroke="{theme.line}"/>'
    yield _text(24, 78, "task,worker,label", theme.muted, mono=True)
    rows = [(example.name, *vote) for example in examples() for vote in example.votes]
    for number, row in enumerate(rows[:7]):
        yield _text(24, 100 + 22 * number, ",".join(row), theme.text, mono=True)
    yield _text(24, 100 + 22 * min(len(rows), 7), "...", theme.muted, mono=True)


def _verdicts_panel(theme: Theme) -> Iterator[str]:
    yield _text(232, 24, "quorate decide", theme.text, size=14, bold=True)
    yield _text(232, 44, f"an error costs {COST_ERROR} votes", theme.muted, size=12)
    yield f'<path d="M196 160 h20 m-7 -6 l7 6 l-7 6" fill="none" stroke="{theme.muted}" stroke-width="2"/>'
    for number, example in enumerate(examples()):
        top, colour = 56 + 72 * number, theme.accept if example.accepted else theme.ask
        yield f'<rect x="232" y="{top}" width="262" height="62" rx="6" fill="{theme.panel}" stroke="{theme.line}"/>'
        yield f'<rect x="232" y="{top}" width="5" height="62" rx="2" fill="{colour}"/>'
        yield _text(250, top + 26, f"task {example.name}: {example.headline}", colour, size=14, bold=True)
        yield _text(250, top + 47, example.detail, theme.muted, size=12)


def _chart(theme: Theme) -> Iterator[str]:
    left, right, top, bottom = 568, 812, 64, 252
    points = replays()
    most = max(wrong for _, wrong in points.values()) * 1.15

    def place(votes: float, wrong: float) -> tuple[float, float]:
        return left + votes / 5.6 * (right - left), bottom - wrong / most * (bottom - top)

    yield _text(left - 36, 24, "fewer votes, fewer errors", theme.text, size=14, bold=True)
    yield _text(left - 36, 44, f"CIFAR-10H, ResNet-110; an error costs {ERROR_COST} votes", theme.muted, size=12)
    yield f'<path d="M{left} {top} V{bottom} H{right}" fill="none" stroke="{theme.line}" stroke-width="1.5"/>'
    for tick in range(6):
        x, _ = place(tick, 0)
        yield _text(x, bottom + 17, str(tick), theme.muted, size=11, anchor="middle")
    for percent in range(int(100 * most) + 1):
        _, y = place(0, percent / 100)
        yield _text(left - 6, y + 4, f"{percent}%", theme.muted, size=11, anchor="end")
    yield _text((left + right) / 2, bottom + 36, "votes per image", theme.muted, size=12, anchor="middle")
    yield _text(left + 6, top + 2, "wrong labels", theme.muted, size=12)
    for name, (votes, wrong) in points.items():
        x, y = place(votes, wrong)
        ours = name == "Quorate"
        colour, radius = (theme.accept, 7) if ours else (theme.muted, 5)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>'
        label = f"{name}: {votes:.2f} votes, {wrong:.1%}" if ours else f"{name}: {wrong:.1%}"
        style = theme.accept if ours else theme.text
        if votes < 2:
            yield _text(x + 11, y + 4, label, style, size=12, bold=ours)
        else:
            yield _text(x, y - 12, label, style, size=12, anchor="middle" if votes < 4 else "end")


def _text(
    x: float,
    y: float,
    text: str,
    colour: str,
    *,
    size: int = 13,
    bold: bool = False,
    mono: bool = False,
    anchor: str = "start",
) -> str:
    weight = ' font-weight="600"' if bold else ""
    family = MONO if mono else FONT
    style = f'{family} font-size="{size}"{weight} fill="{colour}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'


if __name__ == "__main__":
    for name, theme in THEMES.items():
        path = IMAGES / f"readme_{name}.svg"
        path.write_text(draw(theme), encoding="utf-8")
        print(f"Written: {path.relative_to(ROOT)}")
