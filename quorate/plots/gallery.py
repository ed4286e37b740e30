"""Gallery of the most ambiguous items: a self-contained HTML page."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import lookup
from quorate.data.item_scores import ItemScores
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.io.files import write_text
from quorate.io.items import Items
from quorate.plots._gallery_card import STYLE, card, picture_of, text_of

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{style}</style></head>
<body><header><h1>{title}</h1>{about}<nav aria-label="classes">{links}</nav></header>
<main>{sections}</main></body></html>
"""


def gallery(
    scores: ItemScores,
    votes: Votes,
    posterior: Posterior,
    items: Items | None = None,
    *,
    top: int = 50,
    per_class: int = 5,
    title: str = "",
    about: str = "",
) -> str:
    """Return an HTML page of the most ambiguous items by class of the consensus, with their votes and workers.

    Images are embedded as thumbnails.

    Args:
        scores: ambiguity score of each task.
        votes: votes on the same tasks.
        posterior: consensus of the votes.
        items: content of the items; without it, cards have names and votes only.
        top: number of the most ambiguous items overall.
        per_class: minimum number of items of each class, so that rare classes are shown too.
        title: title of the page.
        about: meaning of the score, in a sentence.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([["cat", "dog"], ["dog", "dog"]])
    >>> scores = ItemScores(name="entropy", values=np.array([0.69, 0.0]), ambiguous="high", tasks=votes.tasks)
    >>> page = gallery(scores, votes, aggregate(votes, "majority"))
    >>> page.count("<article"), "entropy 0.69" in page
    (2, True)
    """
    _require_same_tasks(scores, votes, posterior)
    if top < 0 or per_class < 0 or not top + per_class:
        raise MethodError(f"top and per_class must be zero or more, and not both zero, got {top} and {per_class}")
    worst = scores.worst()
    chosen = _choose(worst, posterior.labels, top, per_class)
    ranks = {task: f"#{rank:,} of {len(worst):,}" for rank, task in enumerate(worst.tolist(), start=1)}
    row = np.full(votes.n_tasks, -1) if items is None else lookup(votes.tasks, items.tasks)
    links, sections = [], []
    for label in np.unique(posterior.labels[chosen]).tolist():
        cards = [
            card(task, ranks[task], _score(scores, task), votes, posterior, picture_of(items, int(row[task])))
            for task in chosen[posterior.labels[chosen] == label].tolist()
        ]
        name, size = text_of(posterior.classes[label]), np.count_nonzero(posterior.labels[worst] == label)
        links.append(f'<a href="#class-{label}">{name} <span class="soft">{len(cards)}</span></a>')
        heading = f"<h2>{name} <small>{len(cards):,} of {size:,} items</small></h2>"
        sections.append(f'<section id="class-{label}">{heading}<div class="cards">{"".join(cards)}</div></section>')
    return PAGE.format(
        title=text_of(title or "The most ambiguous items"),
        style=STYLE,
        about="".join(f"<p>{text_of(line)}</p>" for line in _about(scores, votes, about, len(chosen))),
        links="".join(links),
        sections="\n".join(sections),
    )


def write_gallery(
    path: str | Path,
    scores: ItemScores,
    votes: Votes,
    posterior: Posterior,
    items: Items | None = None,
    *,
    top: int = 50,
    per_class: int = 5,
    title: str = "",
    about: str = "",
) -> None:
    """Write the page of `gallery` to a file, such as worst.html; an interrupted write leaves no partial file.

    Args:
        path: file to write, such as worst.html.
        scores: ambiguity score of each task.
        votes: votes on the same tasks.
        posterior: consensus of the votes.
        items: content of the items; without it, cards have names and votes only.
        top: number of the most ambiguous items overall.
        per_class: minimum number of items of each class, so that rare classes are shown too.
        title: title of the page.
        about: meaning of the score, in a sentence.
    """
    page = gallery(scores, votes, posterior, items, top=top, per_class=per_class, title=title, about=about)
    write_text(page, Path(path))


def _require_same_tasks(scores: ItemScores, votes: Votes, posterior: Posterior) -> None:
    if not len(scores.values) == len(posterior.tasks) == votes.n_tasks:
        sizes = f"{len(scores.values):,} scores and a posterior of {len(posterior.tasks):,} for {votes.n_tasks:,} tasks"
        raise VotesError(f"got {sizes}: aggregate and score the same votes")
    if len(posterior.classes) != votes.n_classes:
        sizes = f"{len(posterior.classes):,} classes, the votes {votes.n_classes:,}"
        raise VotesError(f"the posterior has {sizes}: aggregate these votes")


def _choose(worst: NDArray[np.int64], labels: NDArray[np.int64], top: int, per_class: int) -> NDArray[np.int64]:
    """Return the most ambiguous items overall and of each class, the most ambiguous first.

    >>> _choose(np.array([3, 1, 0, 2]), np.array([0, 1, 0, 1]), top=2, per_class=1).tolist()  # 3 and 1 are of class 1
    [3, 1, 0]
    """
    of_class = labels[worst]
    rank = np.arange(len(worst))  # among the items of the same class
    for label in np.unique(of_class):
        rank[of_class == label] = np.arange(np.count_nonzero(of_class == label))
    return worst[(np.arange(len(worst)) < top) | (rank < per_class)]


def _score(scores: ItemScores, task: int) -> str:
    return f"{scores.name} {scores.values[task]:.3g}"


def _about(scores: ItemScores, votes: Votes, about: str, n_shown: int) -> list[str]:
    """Return the introduction: the score, which of its ends is ambiguous, and the numbers of items and votes."""
    scored = int(np.count_nonzero(~np.isnan(scores.values)))
    without = f", {votes.n_tasks - scored:,} of them without a score" if scored < votes.n_tasks else ""
    workers = f"from {votes.n_workers:,} workers" if votes.n_workers else "from anonymous workers"
    sizes = f"{len(votes):,} votes {workers} on {votes.n_tasks:,} items{without}"
    return [
        f"Score: {scores.name}, {scores.ambiguous} is ambiguous. {about}".strip(),
        f"{sizes}; {n_shown:,} shown, grouped by consensus label, the most ambiguous first.",
        "Each card shows the label and its probability, the score and its rank, the votes, and who gave them.",
    ]
