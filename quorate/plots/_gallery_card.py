"""A card of the gallery: an item, its votes, and the workers who gave them."""

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

MAX_CHARACTERS = 260  # of a text before it is folded
CONTEXT_WORDS = 25  # on either side of the word to label
MAX_BARS = 8  # classes
MAX_NAMES = 8  # workers before their list is folded


def card(task: int, rank: str, score: str, votes: Votes, posterior: Posterior, picture: str) -> str:
    """Return the HTML card of a task: picture, name, rank and score, consensus, bars of votes, and who voted what.

    Args:
        task: index of the task.
        rank: rank of its score, as text.
        score: name and value of its score, as text.
        votes: all votes.
        posterior: consensus of the votes.
        picture: HTML of the item.
    """
    rows = votes.by_task.rows[votes.by_task.start[task] : votes.by_task.start[task + 1]]
    label = int(posterior.labels[task])
    return f"""<article class="card">{picture}<div class="body">
<h3><span>{text_of(votes.tasks[task])}</span> <span class="rank">{escape(rank)}</span></h3>
<p class="label"><strong>{text_of(posterior.classes[label])}</strong> {posterior.confidence[task]:.2f}
<span class="soft">· {escape(score)}</span></p>
{_bars(votes, rows, label)}{_workers(votes, rows)}</div></article>"""


def text_of(name: Any) -> str:
    """Return a name escaped for HTML."""
    return escape(str(name))


def picture_of(items: Items | None, row: int) -> str:
    """Return the HTML of an item: its image or texts; empty for numeric features and missing items."""
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
    """Return an embedded thumbnail, or a note with the file name if the image cannot be read."""
    try:
        content = b64encode(thumbnail(path)).decode("ascii")
    except FileError:
        return f'<div class="lost">cannot read the image {escape(path.name)}</div>'
    return f'<img alt="{escape(path.name)}" loading="lazy" src="data:image/jpeg;base64,{content}">'


def _paragraph(text: str) -> str:
    if len(text) <= MAX_CHARACTERS:
        return f'<p dir="auto">{escape(text)}</p>'
    start = text[:MAX_CHARACTERS].rsplit(maxsplit=1)[0]
    return (
        f'<details class="long" dir="auto"><summary><span class="clip">{escape(start)} …</span></summary>'
        f'<p dir="auto">{escape(text)}</p></details>'
    )


def _marked(text: str, position: int) -> str:
    """Return the words around the word to label, which is marked."""
    words = text.split()
    shown = [f"<mark>{escape(word)}</mark>" if index == position else escape(word) for index, word in enumerate(words)]
    first, last = max(position - CONTEXT_WORDS, 0), position + CONTEXT_WORDS + 1
    return " ".join(["…"] * (first > 0) + shown[first:last] + ["…"] * (last < len(words)))


def _bars(votes: Votes, rows: Indices, label: int) -> str:
    """Return a bar for each class with votes and for the consensus, in order of votes."""
    counts = np.bincount(votes.label[rows], minlength=votes.n_classes)
    order = np.argsort(-counts, kind="stable")
    voted = [k for k in order.tolist() if counts[k] or k == label]
    shown = voted[:MAX_BARS] if label in voted[:MAX_BARS] else [*voted[: MAX_BARS - 1], label]
    lines = [_bar(text_of(votes.classes[k]), int(counts[k]), max(len(rows), 1), k == label) for k in shown]
    rest = f'<p class="soft">and {len(voted) - len(shown)} more classes</p>' if len(voted) > len(shown) else ""
    return f'<div class="votes">{"".join(lines)}</div>{rest}'


def _bar(name: str, count: int, total: int, chosen: bool) -> str:
    track = "track chosen" if chosen else "track"
    return (
        f'<span class="name">{name}</span><span class="{track}"><span style="width:{count / total:.1%}"></span></span>'
        f'<span class="number">{count}</span>'
    )


def _workers(votes: Votes, rows: Indices) -> str:
    """Return the names of the workers by label, folded if there are many."""
    named = rows[votes.worker[rows] >= 0]
    n_anonymous = len(rows) - len(named)
    if not len(named):
        return f'<p class="who">{n_anonymous} anonymous votes</p>' if n_anonymous else '<p class="who">no votes</p>'
    lines = []
    for k in np.unique(votes.label[named]):
        names = ", ".join(text_of(votes.workers[worker]) for worker in votes.worker[named[votes.label[named] == k]])
        lines.append(f"<div><dt>{text_of(votes.classes[k])}:</dt> <dd>{names}</dd></div>")
    if n_anonymous:
        lines.append(f"<div><dd>and {n_anonymous} anonymous</dd></div>")
    listed = f"<dl>{''.join(lines)}</dl>"
    if len(named) <= MAX_NAMES:
        return f'<div class="who">{listed}</div>'
    return f'<details class="who"><summary>who voted what ({len(named)} workers)</summary>{listed}</details>'


STYLE = """
:root { color-scheme: light dark; --ink: #1d2429; --soft: #5b6770; --line: #dde3e7; --back: #f4f6f8; --card: #fff;
  --bar: #9fb9c9; --chosen: #2a6f97; --track: #e9eef1; --mark: #ffe8a3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaed; --soft: #9aa7b0; --line: #333c43; --back: #15191c;
  --card: #1e2428; --bar: #4f6b7d; --chosen: #5ba7d4; --track: #2a3238; --mark: #6b5a1e; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.25rem clamp(0.75rem, 3vw, 2.5rem) 3rem; background: var(--back); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 0.4rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.75rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
h2 small, .soft { color: var(--soft); font-weight: 400; font-size: 0.87rem; }
h1, h2, h3, p, a, .lost, dd, dt, summary, .name { overflow-wrap: anywhere; }
header p { margin: 0.3rem 0; max-width: 75ch; }
nav { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-top: 0.9rem; }
nav a { color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  padding: 0.15rem 0.7rem; text-decoration: none; }
nav a:hover, nav a:focus-visible { border-color: var(--chosen); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 0.9rem;
  align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; overflow: hidden; }
.card img { display: block; width: 100%; height: 14rem; object-fit: contain; background: var(--track); }
.body { padding: 0.7rem 0.85rem 0.85rem; }
.text { padding: 0.7rem 0.85rem; border-bottom: 1px solid var(--line); background: var(--back); }
.text > *, .long > p { margin: 0; }
.text p { white-space: pre-line; }
.text > * + * { margin-top: 0.6rem; padding-top: 0.6rem; border-top: 1px dashed var(--line); }
.lost { padding: 2rem 0.85rem; text-align: center; background: var(--track); color: var(--soft); }
h3 { font-size: 0.95rem; margin: 0; display: flex; justify-content: space-between; gap: 0.6rem; }
h3 .rank { color: var(--soft); font-weight: 400; white-space: nowrap; }
.label { margin: 0.15rem 0 0.55rem; }
.votes { display: grid; grid-template-columns: minmax(3rem, auto) minmax(4rem, 1fr) auto; gap: 0.2rem 0.55rem;
  align-items: center; margin: 0; font-size: 0.87rem; }
.votes .name { max-width: 9rem; }
.votes .number { text-align: right; font-variant-numeric: tabular-nums; }
.track { background: var(--track); border-radius: 0.25rem; height: 0.7rem; overflow: hidden; }
.track span { display: block; height: 100%; background: var(--bar); }
.track.chosen span { background: var(--chosen); }
.who { margin: 0.55rem 0 0; font-size: 0.87rem; color: var(--soft); }
.who dl { margin: 0.2rem 0 0; }
.who div { margin: 0.15rem 0; }
.who dt, .who dd { display: inline; margin: 0; }
.who dt { color: var(--ink); }
summary { cursor: pointer; }
.long summary { list-style: none; }
.long summary::-webkit-details-marker { display: none; }
.long summary::after { content: " more"; color: var(--chosen); }
.long[open] summary::after { content: "less"; }
.long[open] .clip { display: none; }
mark { background: var(--mark); color: inherit; border-radius: 0.2rem; padding: 0 0.15rem; }
@media print { .card { break-inside: avoid; } }
"""
