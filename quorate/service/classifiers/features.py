"""Choice of the features of a project: the numbers that came with its items, their words, or their pixels."""

from collections.abc import Sequence

from quorate.service.classifiers.features_image import ImageFeatures
from quorate.service.classifiers.features_numeric import NumericFeatures
from quorate.service.classifiers.features_text import TextFeatures, extract_texts
from quorate.service.classifiers.item import Item, MediaReader

FeatureExtractor = NumericFeatures | TextFeatures | ImageFeatures


def fit_extractor(items: Sequence[Item], media: MediaReader) -> FeatureExtractor | None:
    """Fit an extractor of features to items; None if they have no features that can be used, such as audio.

    Numbers that came with the items are preferred; otherwise the kind of most items decides.

    >>> from quorate.service.classifiers.item import no_media
    >>> extractor = fit_extractor([Item(1, "text", {"text": "a b"}), Item(2, "text", {"text": "b c"})], no_media)
    >>> extractor.transform([Item(3, "text", {"text": "b"})], no_media).shape
    (1, 5)
    """
    if 2 * sum(item.features is not None for item in items) >= len(items) > 0:
        return NumericFeatures.fit(items, media)
    n_texts = sum(bool(extract_texts(item)) for item in items)
    n_images = sum(item.kind == "image" and "media" in item.content for item in items)
    if n_texts and n_texts >= n_images:
        return TextFeatures.fit(items, media)
    return ImageFeatures.fit(items, media) if n_images else None
