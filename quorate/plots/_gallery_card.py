"""A card of the gallery: an item, its votes, and who gave them."""

from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from quorate.data.ids import Indices
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import FileError
from quorate.io.images import thumbnail
from quorate.io.items import Items

CLIP = 260  # letters of a text that are shown at once
AROUND = 25  # words, on both sides of the one that is asked about
BARS = 8  # classes
NAMES = 8  # more workers than these are folded


def card(task: int, rank: str, score: str, votes: Votes, posterior: Posterior, picture: str) -> str:
    """The card of a task: `picture`, its name, rank and score, the consensus, bars of its votes, who voted what."""
    rows = votes.by_task.rows[votes.by_task.start[task] : votes.by_task.start[task + 1]]
    label = int(posterior.labels[task])
    return f"""<article class="card">{picture}<div class="body">
<h3><span>{text_of(votes.tasks[task])}</span> <span class="rank">{escape(rank)}</span></h3>
<p class="label"><strong>{text_of(posterior.classes[label])}</strong> {posterior.confidence[task]:.2f}
<span class="soft">· {escape(score)}</span></p>
{_bars(votes, rows, label)}{_who(votes, rows)}</div></article>"""


def text_of(name: Any) -> str:
    """A name as it may stand anywhere on a page."""
    return escape(str(name))


def picture_of(items: Items | None, row: int) -> str:
    """What an item looks like: its image, its text or texts; nothing where there are only numbers, or no item."""
    if items is None or row < 0 or items.kind == "features":
        return ""
    if items.kind == "images":
        return _image(Path(items.x[row]))
    if items.kind == "pairs":
        return f'<div class="text">{"".join(_paragraph(text) for text in items.x[row])}</div>'
    if items.kind == "words in texts":
        return f'<div class="text"><p dir="auto">{_marked(*items.x[row])}</p></div>'
    texts = items.x[0] if items.kind == "texts and features" else items.x
    return f'<div class="text">{_paragraph(texts[row])}</div>'


def _image(path: Path) -> str:
    """The image itself, small, inside the page; one that cannot be read is named."""
    try:
        content = b64encode(thumbnail(path)).decode("ascii")
    except FileError:
        return f'<div class="lost">no image can be read from {escape(path.name)}</div>'
    return f'<img alt="{escape(path.name)}" loading="lazy" src="data:image/jpeg;base64,{content}">'


def _paragraph(text: str) -> str:
    if len(text) <= CLIP:
        return f'<p dir="auto">{escape(text)}</p>'
    start = text[:CLIP].rsplit(maxsplit=1)[0]
    return (
        f'<details class="long" dir="auto"><summary><span class="clip">{escape(start)} …</span></summary>'
        f'<p dir="auto">{escape(text)}</p></details>'
    )


def _marked(text: str, place: int) -> str:
    """The words around the one that is asked about, which is marked."""
    words = text.split()
    shown = [f"<mark>{escape(word)}</mark>" if n == place else escape(word) for n, word in enumerate(words)]
    first, last = max(place - AROUND, 0), place + AROUND + 1
    return " ".join(["…"] * (first > 0) + shown[first:last] + ["…"] * (last < len(words)))


def _bars(votes: Votes, rows: Indices, label: int) -> str:
    """A bar for each class that was named, and for the consensus; the most votes first."""
    counts = np.bincount(votes.label[rows], minlength=votes.n_classes)
    order = np.argsort(-counts, kind="stable")
    named = [k for k in order.tolist() if counts[k] or k == label]
    shown = named[:BARS] if label in named[:BARS] else [*named[: BARS - 1], label]
    lines = [_bar(text_of(votes.classes[k]), int(counts[k]), max(len(rows), 1), k == label) for k in shown]
    rest = f'<p class="soft">and {len(named) - len(shown)} more classes</p>' if len(named) > len(shown) else ""
    return f'<div class="votes">{"".join(lines)}</div>{rest}'


def _bar(name: str, count: int, total: int, chosen: bool) -> str:
    track = "track chosen" if chosen else "track"
    return (
        f'<span class="name">{name}</span><span class="{track}"><span style="width:{count / total:.1%}"></span></span>'
        f'<span class="number">{count}</span>'
    )


def _who(votes: Votes, rows: Indices) -> str:
    """Who said what: by label the names of the workers; folded where they are many."""
    known = rows[votes.worker[rows] >= 0]
    unknown = len(rows) - len(known)
    if not len(known):
        return f'<p class="who">{unknown} anonymous votes</p>' if unknown else '<p class="who">no votes</p>'
    lines = []
    for k in np.unique(votes.label[known]):
        names = ", ".join(text_of(votes.workers[worker]) for worker in votes.worker[known[votes.label[known] == k]])
        lines.append(f"<div><dt>{text_of(votes.classes[k])}:</dt> <dd>{names}</dd></div>")
    if unknown:
        lines.append(f"<div><dd>and {unknown} anonymous</dd></div>")
    listed = f"<dl>{''.join(lines)}</dl>"
    if len(known) <= NAMES:
        return f'<div class="who">{listed}</div>'
    return f'<details class="who"><summary>who voted what ({len(known)} workers)</summary>{listed}</details>'
