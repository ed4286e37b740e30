import io

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits

from quorate.errors import QuorateError
from quorate.service.classifiers.features import learn_reader
from quorate.service.classifiers.features_image import Pixels
from quorate.service.classifiers.features_text import Words
from quorate.service.classifiers.item import Item, fold_of, no_media
from quorate.service.classifiers.softmax import Softmax, pack_classifier, predict, unpack_classifier
from quorate.service.store.model_blob import pack_parts
from quorate.typing import Array


def numbers(n: int, seed: int = 0) -> tuple[list[Item], Array]:
    """Items whose features tell their class, and the classes as probabilities."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    x = rng.normal(size=(n, 4)) + 3 * np.eye(4)[truth]
    items = [Item(10 + 7 * row, "features", {}, x[row].astype("<f4").tobytes()) for row in range(n)]
    return items, np.eye(3)[truth]


def texts(n: int, seed: int = 0) -> tuple[list[Item], Array]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=n)
    words = [["dull", "slow", "poor"], ["bright", "quick", "fine"]]
    written = [f"the film was {' '.join(rng.choice(words[k], 2))}" for k in truth]
    return [Item(row, "text", {"text": text}) for row, text in enumerate(written)], np.eye(2)[truth]


def taught(items: list[Item], probs: Array, start: Softmax | None = None) -> Softmax:
    found = Softmax.taught(items, probs, start=start)
    assert found is not None
    return found


def right(said: Array, probs: Array) -> float:
    return float((said.argmax(axis=1) == probs.argmax(axis=1)).mean())


@pytest.mark.parametrize("make", [numbers, texts])
def test_learns_what_can_be_told(make: object) -> None:
    items, probs = numbers(300) if make is numbers else texts(300)
    model = taught(items[:200], probs[:200])
    said = model.said(items, np.arange(300) < 200)
    assert right(said[:200], probs[:200]) > 0.9
    assert right(said[200:], probs[200:]) > 0.9
    np.testing.assert_allclose(said.sum(axis=1), 1)


def test_is_never_asked_of_what_it_was_taught() -> None:
    items, probs = numbers(100)
    rng = np.random.default_rng(1)
    nonsense = np.eye(3)[rng.integers(3, size=100)]
    wide = [item._replace(features=rng.normal(size=200).astype("<f4").tobytes()) for item in items]
    model = taught(wide, nonsense)  # 200 features and 100 items: it can learn them by heart
    assert right(model.said(wide, np.zeros(100, bool)), nonsense) > 0.9
    assert right(model.said(wide, np.ones(100, bool)), nonsense) < 0.6
    assert right(taught(items, probs).said(items, np.ones(100, bool)), probs) > 0.9


def test_fold_stays_whatever_else_is_there() -> None:
    assert fold_of([5, 9])[1] == fold_of([9])[0]
    for step in (2, 3, 5, 10):  # items may come by class, in turns
        shares = np.bincount(fold_of(range(0, 1000 * step, step)), minlength=5) / 1000
        assert shares.min() > 0.15


def test_comes_back_from_bytes() -> None:
    for items, probs in (numbers(60), texts(60)):
        model = taught(items, probs)
        again = unpack_classifier(pack_classifier(model))
        np.testing.assert_array_equal(predict(again, items), predict(model, items))
    with pytest.raises(QuorateError, match="no classifier"):
        unpack_classifier(pack_parts((1, 2)))


def test_goes_on_from_before_when_words_join() -> None:
    items, probs = texts(80)
    before = taught(items[:40], probs[:40])
    more = [*items[:40], *(Item(one.id, "text", {"text": f"new {one.content['text']}"}) for one in items[40:])]
    reader = learn_reader(more, no_media)
    assert isinstance(reader, Words)
    carried = before.carried_to(reader, (5, len(reader.columns) + 1, 2))
    assert carried.any()
    after = taught(more, probs, before)
    np.testing.assert_allclose(predict(after, more), predict(taught(more, probs), more), atol=0.05)


def test_images_are_read_as_pixels() -> None:
    digits = load_digits()
    files = {}
    for row in range(300):
        buffer = io.BytesIO()
        Image.fromarray((digits.images[row] * 15).astype(np.uint8)).save(buffer, "PNG")
        files[f"{row}.png"] = buffer.getvalue()
    files["7.png"] = b"broken"
    items = [Item(row, "image", {"media": f"{row}.png"}) for row in range(301)]  # of the last there is none
    probs = np.eye(10)[digits.target[:301]]
    model = Softmax.taught(items, probs, files.get)
    assert model is not None
    assert isinstance(model.reader, Pixels)
    assert (model.reader.side, model.reader.mode) == (8, "L")
    assert right(model.said(items, np.ones(301, bool), files.get), probs) > 0.9


def test_colours_count_where_there_are_any() -> None:
    files = {}
    for name, colour in (("red", (250, 10, 10)), ("blue", (10, 10, 250))):
        buffer = io.BytesIO()
        Image.new("RGB", (90, 60), colour).save(buffer, "JPEG")
        files[name] = buffer.getvalue()
    reader = learn_reader([Item(number, "image", {"media": name}) for number, name in enumerate(files)], files.get)
    assert isinstance(reader, Pixels)
    assert (reader.side, reader.mode) == (16, "RGB")


def test_pairs_know_which_text_is_which() -> None:
    pairs = [Item(row, "pair", {"text_a": "cat", "text_b": "dog" if row % 2 else "cat"}) for row in range(60)]
    probs = np.eye(2)[np.arange(60) % 2]
    assert right(predict(taught(pairs, probs), pairs), probs) == 1


@pytest.mark.parametrize(
    "item",
    [
        Item(1, "text", {"text": ""}),
        Item(1, "text", {}),
        Item(1, "text", {"text": "\ud800 lone"}),
        Item(1, "html", {"html": "<p <<b &nope; <script>x"}),
        Item(1, "audio", {"url": "https://x/y.mp3"}),
    ],
    ids=str,
)
def test_odd_items_are_read_as_little(item: Item) -> None:
    items, probs = texts(60)
    said = predict(taught(items, probs), [item])
    assert said.shape == (1, 2)
    assert np.isfinite(said).all()


def test_features_of_another_length_count_as_missing() -> None:
    items, probs = numbers(60)
    model = taught(items, probs)
    odd = [Item(1, "features", {}, np.ones(9, "<f4").tobytes()), Item(2, "text", {"text": "x"}, None)]
    some = [Item(3, "features", {}, np.array([np.nan, 1, 1, np.inf], "<f4").tobytes())]
    assert np.isfinite(predict(model, [*odd, *some])).all()


def test_sounds_teach_nothing() -> None:
    items = [Item(row, "audio", {"media": "x.mp3"}) for row in range(9)]
    assert Softmax.taught(items, np.full((9, 2), 0.5)) is None


def test_few_items_teach_what_they_can() -> None:
    items, probs = numbers(1)
    said = predict(taught(items, probs), items)
    assert np.isfinite(said).all()
