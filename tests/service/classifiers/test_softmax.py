import io

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits

from quorate.errors import QuorateError
from quorate.service.classifiers.features import fit_extractor
from quorate.service.classifiers.features_image import ImageFeatures
from quorate.service.classifiers.features_text import TextFeatures
from quorate.service.classifiers.item import Item, assign_folds, no_media
from quorate.service.classifiers.softmax import Softmax, pack_classifier, predict, unpack_classifier
from quorate.service.store.model_blob import pack_parts
from quorate.typing import Array


def numbers(n: int, seed: int = 0) -> tuple[list[Item], Array]:
    """Return items whose features separate the classes, and their classes as probabilities."""
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


def fit(items: list[Item], probs: Array, start: Softmax | None = None) -> Softmax:
    classifier = Softmax.fit(items, probs, start=start)
    assert classifier is not None
    return classifier


def accuracy(predicted: Array, probs: Array) -> float:
    return float((predicted.argmax(axis=1) == probs.argmax(axis=1)).mean())


@pytest.mark.parametrize("make", [numbers, texts])
def test_learns_classes_that_features_separate(make: object) -> None:
    items, probs = numbers(300) if make is numbers else texts(300)
    model = fit(items[:200], probs[:200])
    predicted = model.predict_proba(items, np.arange(300) < 200)
    assert accuracy(predicted[:200], probs[:200]) > 0.9
    assert accuracy(predicted[200:], probs[200:]) > 0.9
    np.testing.assert_allclose(predicted.sum(axis=1), 1)


def test_predicts_its_training_items_out_of_fold() -> None:
    items, probs = numbers(100)
    rng = np.random.default_rng(1)
    random_labels = np.eye(3)[rng.integers(3, size=100)]
    wide = [item._replace(features=rng.normal(size=200).astype("<f4").tobytes()) for item in items]
    model = fit(wide, random_labels)  # 200 features and 100 items: it can memorise them
    assert accuracy(model.predict_proba(wide, np.zeros(100, bool)), random_labels) > 0.9
    assert accuracy(model.predict_proba(wide, np.ones(100, bool)), random_labels) < 0.6
    assert accuracy(fit(items, probs).predict_proba(items, np.ones(100, bool)), probs) > 0.9


def test_the_fold_of_an_item_does_not_depend_on_other_items() -> None:
    assert assign_folds([5, 9])[1] == assign_folds([9])[0]
    for step in (2, 3, 5, 10):  # items may be added ordered by class
        shares = np.bincount(assign_folds(range(0, 1000 * step, step)), minlength=5) / 1000
        assert shares.min() > 0.15


def test_is_the_same_after_packing() -> None:
    for items, probs in (numbers(60), texts(60)):
        model = fit(items, probs)
        again = unpack_classifier(pack_classifier(model))
        np.testing.assert_array_equal(predict(again, items), predict(model, items))
    with pytest.raises(QuorateError, match="tuple is not a classifier"):
        unpack_classifier(pack_parts((1, 2)))


def test_starts_from_the_previous_weights_when_words_are_new() -> None:
    items, probs = texts(80)
    before = fit(items[:40], probs[:40])
    more = [*items[:40], *(Item(item.id, "text", {"text": f"new {item.content['text']}"}) for item in items[40:])]
    extractor = fit_extractor(more, no_media)
    assert isinstance(extractor, TextFeatures)
    carried = before.carry_weights(extractor, (5, len(extractor.columns) + 1, 2))
    assert carried.any()
    after = fit(more, probs, before)
    np.testing.assert_allclose(predict(after, more), predict(fit(more, probs), more), atol=0.05)


def test_images_are_read_as_pixels() -> None:
    digits = load_digits()
    files = {}
    for row in range(300):
        buffer = io.BytesIO()
        Image.fromarray((digits.images[row] * 15).astype(np.uint8)).save(buffer, "PNG")
        files[f"{row}.png"] = buffer.getvalue()
    files["7.png"] = b"broken"
    items = [Item(row, "image", {"media": f"{row}.png"}) for row in range(301)]  # the last one has no file
    probs = np.eye(10)[digits.target[:301]]
    model = Softmax.fit(items, probs, files.get)
    assert model is not None
    assert isinstance(model.extractor, ImageFeatures)
    assert (model.extractor.side, model.extractor.mode) == (8, "L")
    assert accuracy(model.predict_proba(items, np.ones(301, bool), files.get), probs) > 0.9


def test_coloured_images_are_read_in_colour() -> None:
    files = {}
    for name, colour in (("red", (250, 10, 10)), ("blue", (10, 10, 250))):
        buffer = io.BytesIO()
        Image.new("RGB", (90, 60), colour).save(buffer, "JPEG")
        files[name] = buffer.getvalue()
    extractor = fit_extractor([Item(number, "image", {"media": name}) for number, name in enumerate(files)], files.get)
    assert isinstance(extractor, ImageFeatures)
    assert (extractor.side, extractor.mode) == (16, "RGB")


def test_the_texts_of_a_pair_are_distinguished() -> None:
    pairs = [Item(row, "pair", {"text_a": "cat", "text_b": "dog" if row % 2 else "cat"}) for row in range(60)]
    probs = np.eye(2)[np.arange(60) % 2]
    assert accuracy(predict(fit(pairs, probs), pairs), probs) == 1


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
def test_odd_items_get_finite_probabilities(item: Item) -> None:
    items, probs = texts(60)
    predicted = predict(fit(items, probs), [item])
    assert predicted.shape == (1, 2)
    assert np.isfinite(predicted).all()


def test_features_of_another_length_count_as_missing() -> None:
    items, probs = numbers(60)
    model = fit(items, probs)
    odd = [Item(1, "features", {}, np.ones(9, "<f4").tobytes()), Item(2, "text", {"text": "x"}, None)]
    some = [Item(3, "features", {}, np.array([np.nan, 1, 1, np.inf], "<f4").tobytes())]
    assert np.isfinite(predict(model, [*odd, *some])).all()


def test_audio_cannot_be_learnt_from() -> None:
    items = [Item(row, "audio", {"media": "x.mp3"}) for row in range(9)]
    assert Softmax.fit(items, np.full((9, 2), 0.5)) is None


def test_a_single_item_suffices_for_training() -> None:
    items, probs = numbers(1)
    predicted = predict(fit(items, probs), items)
    assert np.isfinite(predicted).all()
