import re
import sys
from base64 import b64decode
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from quorate import Votes, aggregate, simulate_votes
from quorate.data.ids import as_names
from quorate.data.item_scores import ItemScores
from quorate.errors import FileError, MethodError, MissingExtraError, VotesError
from quorate.io.items import Items, Kind
from quorate.plots.gallery import gallery, write_gallery

EMPTY = {"meta", "img"}
HOSTILE = "<script>alert('1')</script>\"&"


class Page(HTMLParser):
    """The tags and texts of a page; every tag must be closed in its turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.tasks: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and "style" not in self.open:
            self.texts.append(data.strip())
            if self.open[-2:] == ["h3", "span"] and not data.startswith("#"):
                self.tasks.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


VOTES = simulate_votes(n_tasks=40, votes_per_task=3, classes=["ant", "bee", "cow"], seed=1).votes
POSTERIOR = aggregate(VOTES)
SCORES = ItemScores(
    name="doubt", values=np.random.default_rng(0).random(40).round(3), ambiguous="high", tasks=VOTES.tasks
)


def some_items(kind: Kind, x: object) -> Items:
    return Items(tasks=VOTES.tasks, kind=kind, x=x)


def test_every_item_is_shown_once() -> None:
    page = Page(gallery(SCORES, VOTES, POSTERIOR, top=12, per_class=0))
    assert sorted(page.tasks) == sorted(VOTES.tasks[SCORES.worst(12)].tolist())
    low = Page(gallery(replace(SCORES, ambiguous="low"), VOTES, POSTERIOR, top=12, per_class=0))
    assert sorted(low.tasks) == sorted(VOTES.tasks[np.argsort(SCORES.values)[:12]].tolist())


def test_items_are_sorted_by_class_and_every_class_is_shown() -> None:
    page = Page(gallery(SCORES, VOTES, POSTERIOR, top=1, per_class=2))
    labels, ambiguity = POSTERIOR.labels, SCORES.values
    expected = [task for k in range(3) for task in sorted(np.flatnonzero(labels == k), key=lambda t: -ambiguity[t])[:2]]
    assert page.tasks == VOTES.tasks[expected].tolist()
    assert [value for name, value in page.attributes if name == "href"] == ["#class-0", "#class-1", "#class-2"]
    assert {value for name, value in page.attributes if name == "id"} == {"class-0", "class-1", "class-2"}


def test_a_card_has_label_score_rank_votes_and_workers() -> None:
    votes = Votes.from_matrix([["cat", "dog", "cat", "cat"], ["dog", "dog", "dog", "dog"]])
    scores = ItemScores(name="doubt", values=np.array([0.5, np.nan]), ambiguous="high", tasks=votes.tasks)
    page = gallery(scores, votes, aggregate(votes, "naive_soft"), title="My page", about="How unsure I am.")
    text = Page(page).text
    assert "My page" in text
    assert "Score: doubt, high is ambiguous. How unsure I am." in text
    assert "8 votes from 4 workers on 2 items, 1 of them without a score; 1 shown" in text
    assert "0 #1 of 1 cat 0.75 · doubt 0.5 cat 3 dog 1 cat: 0, 2, 3 dog: 1" in text
    assert re.findall(r"width:([\d.]+)%", page) == ["75.0", "25.0"]


def test_hostile_names_and_texts_stay_text() -> None:
    votes = replace(
        VOTES,
        tasks=as_names([f"{HOSTILE}{n}" for n in range(40)]),
        workers=as_names([f"{HOSTILE}{n}" for n in range(VOTES.n_workers)]),
        classes=as_names([f"{HOSTILE}{n}" for n in range(3)]),
    )
    scores = replace(SCORES, tasks=votes.tasks, name=HOSTILE)
    items = Items(tasks=votes.tasks, kind="texts", x=[HOSTILE * 40] * 40)
    page = Page(gallery(scores, votes, aggregate(votes), items, title=HOSTILE, about=HOSTILE))
    assert page.tags["script"] == 0
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert set(page.tasks) == set(votes.tasks.tolist())
    assert HOSTILE * 40 in page.text


def test_the_page_is_self_contained() -> None:
    page = gallery(SCORES, VOTES, POSTERIOR)
    assert "http" not in page
    assert "@import" not in page
    assert "url(" not in page
    assert Page(page).tags["script"] == 0


def test_images_are_embedded_small(tmp_path: Path) -> None:
    paths = [tmp_path / f'{n}"<b>.png' for n in range(40)]
    for n, path in enumerate(paths):
        Image.new("RGB", (640, 320), (n, 200, 0)).save(path)
    page = Page(gallery(SCORES, VOTES, POSTERIOR, some_items("images", paths), top=3, per_class=0))
    sources = [value for name, value in page.attributes if name == "src" and value]
    assert len(sources) == 3
    colours = set()
    for source in sources:
        kind, _, content = source.partition(",")
        assert kind == "data:image/jpeg;base64"
        image = Image.open(BytesIO(b64decode(content)))
        assert (image.format, image.size) == ("JPEG", (320, 160))
        colours.add(image.getpixel((5, 5))[0])  # type: ignore[index]
    expected = SCORES.worst(3)
    assert all(min(abs(colour - task) for task in expected) <= 3 for colour in colours)


def test_a_missing_or_damaged_image_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("no image")
    paths = [tmp_path / "lost.png", tmp_path / "text.png"] * 20
    page = Page(gallery(SCORES, VOTES, POSTERIOR, some_items("images", paths)))
    assert page.tags["img"] == 0
    assert {name for name in ("lost.png", "text.png") if f"cannot read the image {name}" in page.text} == {
        "lost.png",
        "text.png",
    }


def test_a_missing_pillow_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match="pip install pillow"):
        gallery(SCORES, VOTES, POSTERIOR, some_items("images", ["a.png"] * 40))


def test_texts_pairs_words_and_numbers() -> None:
    task = int(SCORES.worst(1)[0])

    def shown(kind: Kind, x: object) -> tuple[str, Counter[str]]:
        page = Page(gallery(SCORES, VOTES, POSTERIOR, some_items(kind, x), top=1, per_class=0))
        return page.text, page.tags

    texts = [f"text {n}." for n in range(40)]
    assert f"text {task}." in shown("texts", texts)[0]
    assert f"text {task}." in shown("texts and features", (texts, np.zeros((40, 2))))[0]
    both, _ = shown("pairs", [(text, f"answer {n}.") for n, text in enumerate(texts)])
    assert f"text {task}. answer {task}." in both
    words, tags = shown("words in texts", [(" ".join(f"w{n}" for n in range(200)), 100)] * 40)
    assert "… w75 w76" in words
    assert "w124 w125 …" in words
    assert tags["mark"] == 1
    assert shown("features", np.zeros((40, 3)))[0] == Page(gallery(SCORES, VOTES, POSTERIOR, top=1, per_class=0)).text


def test_long_texts_are_folded_and_so_are_many_workers() -> None:
    votes = Votes.from_matrix([[0] * 9 + [1] * 3])
    scores = ItemScores(name="s", values=np.ones(1), ambiguous="low", tasks=votes.tasks)
    items = Items(tasks=votes.tasks, kind="texts", x=["word " * 200])
    page = Page(gallery(scores, votes, aggregate(votes), items))
    assert page.tags["details"] == 2
    assert "who voted what (12 workers)" in page.text
    assert " ".join(["word"] * 200) in page.text


def test_many_classes_anonymous_votes_and_other_items() -> None:
    """Keep the bar of the consensus though others have more votes; items are in another order, and incomplete."""
    counts = np.ones((2, 30), dtype=int)
    votes = Votes.from_counts(counts)
    posterior = aggregate(votes, "majority")
    odd = replace(posterior, probs=np.roll(np.eye(30)[:2], 29, axis=1))
    scores = ItemScores(name="s", values=np.array([2.0, 1.0]), ambiguous="high", tasks=votes.tasks)
    items = Items(tasks=as_names([9, 1]), kind="texts", x=["of nobody", "of task 1"])
    page = Page(gallery(scores, votes, odd, items))
    assert "and 22 more classes" in page.text
    assert page.text.count("30 anonymous votes") == 2
    assert "of task 1" in page.text
    assert "of nobody" not in page.text
    assert "votes from anonymous workers on 2 items" in page.text


def test_an_interrupted_write_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "worst.html"
    write_gallery(path, SCORES, VOTES, POSTERIOR, top=3)
    assert path.read_text(encoding="utf-8") == gallery(SCORES, VOTES, POSTERIOR, top=3)
    assert [file.name for file in tmp_path.iterdir()] == ["worst.html"]
    with pytest.raises(FileError, match="there is no folder"):
        write_gallery(tmp_path / "no" / "worst.html", SCORES, VOTES, POSTERIOR)


def test_refusals() -> None:
    with pytest.raises(VotesError, match="40 scores and a posterior of 40 for 39 tasks"):
        gallery(SCORES, VOTES.subset(tasks=np.arange(39)), POSTERIOR)
    with pytest.raises(VotesError, match="the posterior has 3 classes, the votes 4"):
        gallery(SCORES, replace(VOTES, classes=as_names(["ant", "bee", "cow", "dog"])), POSTERIOR)
    with pytest.raises(MethodError, match="not both zero, got 0 and 0"):
        gallery(SCORES, VOTES, POSTERIOR, top=0, per_class=0)


def test_no_item_has_a_score() -> None:
    page = Page(gallery(replace(SCORES, values=np.full(40, np.nan)), VOTES, POSTERIOR))
    assert page.tags["article"] == 0
    assert "0 shown" in page.text
