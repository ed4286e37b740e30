"""Which numbers stand for the items of a project: those that came with them, their words, or their pixels."""

from collections.abc import Sequence

from quorate.service.classifiers.features_image import Pixels
from quorate.service.classifiers.features_numeric import Numbers
from quorate.service.classifiers.features_text import Words, texts_of
from quorate.service.classifiers.item import Item, Media

Reader = Numbers | Words | Pixels


def learn_reader(items: Sequence[Item], media: Media) -> Reader | None:
    """How to read items like these, learnt from them; None where nothing can be read, such as of sounds.

    Given features go first; else whatever most items are.

    >>> from quorate.service.classifiers.item import no_media
    >>> words = learn_reader([Item(1, "text", {"text": "a b"}), Item(2, "text", {"text": "b c"})], no_media)
    >>> words.rows([Item(3, "text", {"text": "b"})], no_media).shape
    (1, 5)
    """
    if 2 * sum(item.features is not None for item in items) >= len(items) > 0:
        return Numbers.learnt(items, media)
    texts = sum(bool(texts_of(item)) for item in items)
    images = sum(item.kind == "image" and "media" in item.content for item in items)
    if texts and texts >= images:
        return Words.learnt(items, media)
    return Pixels.learnt(items, media) if images else None
