"""Guesses from what columns hold, where their names tell nothing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from statistics import mean
from typing import Any
from urllib.parse import urlsplit

from quorate.service.imports.columns import SHOWN, Columns
from quorate.service.imports.number_cells import number_columns
from quorate.service.items.rows import AUDIO, FEATURES, HTML, IMAGE, PAIR, TEXT
from quorate.service.media import TYPES, is_sound

LABELS = ("label", "labels", "gold", "class", "category", "target", "truth", "answer", "sentiment", "y")
MOST_LABELS, LONGEST_LABEL, TIMES = 30, 60, 3  # different labels; characters of one; rows for each of them
MOST_LOOKED_AT = 200


def columns_by_content(columns: Columns, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Columns:
    """The columns with one to show, where none was found by its name: addresses of files, or the longest texts."""
    if any(getattr(columns, name) is not None for name in SHOWN):
        return columns
    some = rows[:MOST_LOOKED_AT]
    texts = {name: found for name in names if name != columns.key and (found := _texts(name, some))}
    for name, found in texts.items():
        if all(_is_address(text) for text in found) and any(_is_medium(text) for text in found):
            return replace(columns, audio=name) if is_sound(found[0]) else replace(columns, image=name)
    numbers = number_columns(names, some)
    lengths = {name: mean(map(len, found)) for name, found in texts.items() if name not in numbers}
    return columns if not lengths else replace(columns, text=max(lengths, key=lambda name: lengths[name]))


def key_by_content(columns: Columns, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Columns:
    """The columns with a key, where none was found by its name: one like `review_id` that differs in all rows."""
    used = {getattr(columns, name) for name in SHOWN}
    ids = [name for name in names if name not in used and re.search(r"[_ .-](?i:id)$|[a-z]I[dD]$", name.strip())]
    found = next((name for name in ids if len(set(_texts(name, rows))) == len(rows)), None)
    return columns if columns.key or found is None else replace(columns, key=found)


def kind_of(columns: Columns, rows: Sequence[Mapping[str, Any]]) -> str:
    """The kind of items that rows become; see `cells.RowMaker`, which looks at the columns in this order."""
    order = {TEXT: columns.text, IMAGE: columns.image, AUDIO: columns.audio, HTML: columns.html, PAIR: columns.text_a}
    kind = next((kind for kind, column in order.items() if column is not None), FEATURES)
    found = _texts(order[IMAGE] or "", rows[:MOST_LOOKED_AT]) if kind == IMAGE else []
    return AUDIO if found and all(is_sound(text) for text in found) else kind


def label_columns(columns: Columns, distinct: Mapping[str, int], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Columns that seem to hold labels: few different short texts, each of them often; those so named come first."""
    used = {columns.key, *(getattr(columns, name) for name in SHOWN)}
    numbers = number_columns(list(distinct), rows[:MOST_LOOKED_AT])
    named, found = [], []
    for name, n in distinct.items():
        texts = _texts(name, rows)
        if name in used or not 2 <= n <= MOST_LABELS or not texts or max(map(len, texts)) > LONGEST_LABEL:
            continue
        if name.strip().lower() in LABELS:
            named.append(name)
        elif name not in numbers and len(texts) >= TIMES * n:
            found.append(name)
    return named + found


def _texts(name: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The cells of a column as texts; none where some are something else."""
    cells = [value for row in rows if (value := row.get(name)) is not None and value != ""]
    plain = all(isinstance(value, str | int | float) for value in cells)
    return [str(value) for value in cells] if plain else []


def _is_address(text: str) -> bool:
    return text.startswith(("http://", "https://")) and " " not in text.strip()


def _is_medium(text: str) -> bool:
    return PurePosixPath(urlsplit(text).path).suffix.lower() in TYPES
