"""Models and databases that earlier versions of the service stored are read by this version."""

import base64
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from quorate import Votes
from quorate.service.classifiers.item import Item
from quorate.service.classifiers.softmax import pack_classifier, predict, unpack_classifier
from quorate.service.decisions.model_versions import current_model
from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from quorate.service.store.model_blob import pack, unpack
from quorate.service.store.tables import models, questions, voters
from tests.previous_version import FOLDER, content
from tests.service.conftest import Clock
from tests.service.crowds import World

FITTED = content("fitted_models.json")


@pytest.mark.parametrize("stored", FITTED["models"], ids=lambda stored: f"{stored['policy']} {stored['options']}")
def test_a_fitted_model_has_the_same_posterior(stored: dict[str, Any]) -> None:
    n_tasks, n_workers, n_classes = FITTED["n"]
    votes = Votes(
        task=np.array(FITTED["task"]),
        worker=np.array(FITTED["worker"]),
        label=np.array(FITTED["label"]),
        tasks=np.arange(n_tasks),
        workers=np.arange(n_workers),
        classes=np.arange(n_classes),
    )
    machines = {name: np.array(probs) for name, probs in FITTED["machines"].items()}
    model = unpack(base64.b64decode(stored["packed"]))
    np.testing.assert_allclose(model.posterior(votes, machines), stored["posterior"], atol=1e-9)
    np.testing.assert_array_equal(unpack(pack(model)).posterior(votes, machines), model.posterior(votes, machines))


CLASSIFIERS = {name: content(name) for name in ("classifiers.json", "short_names/classifiers.json")}
CASES = [(name, number) for name, stored in CLASSIFIERS.items() for number in range(len(stored["classifiers"]))]


def items_of(kind: str, items: dict[str, Any]) -> list[Item]:
    if kind == "texts":
        return [Item(row, "text", {"text": text}) for row, text in enumerate(items["texts"])]
    return [Item(row, "features", {}, np.array(x, dtype="<f4").tobytes()) for row, x in enumerate(items["numbers"])]


@pytest.mark.parametrize(("file", "number"), CASES)
def test_a_stored_classifier_makes_the_same_predictions(file: str, number: int) -> None:
    stored = CLASSIFIERS[file]["classifiers"][number]
    classifier = unpack_classifier(base64.b64decode(stored["packed"]))
    items = items_of(stored["items"], CLASSIFIERS[file]["items"])
    np.testing.assert_allclose(predict(classifier, items), stored["predicted"], atol=1e-6)
    again = unpack_classifier(pack_classifier(classifier))
    np.testing.assert_array_equal(predict(again, items), predict(classifier, items))


@pytest.mark.parametrize(("file", "version"), [("database.sql", 4), ("short_names/database.sql", 5)])
def test_a_database_is_continued(tmp_path: Path, clock: Clock, file: str, version: int) -> None:
    """Continue a project that was stopped half-way with this version, from the stored models, until it is done."""
    path = tmp_path / "quorate.db"
    with sqlite3.connect(path) as connection:
        connection.executescript((FOLDER / file).read_text(encoding="utf-8"))
    connection.close()
    store = Store.open(f"sqlite:///{path}", clock=clock)
    migrate(store)
    clock.now += 60
    with store.read() as opened:
        question = opened.execute(select(questions.c.id)).scalar_one()
        before = current_model(opened, question)
        packed = opened.execute(select(models.c.classifier).where(models.c.classifier.is_not(None))).scalars().all()
        people = list(opened.execute(select(voters.c.id)).scalars())
    assert before is not None
    assert before.version == version
    assert all(unpack_classifier(blob) for blob in packed)
    truth = np.random.default_rng(0).integers(2, size=(24, 1))
    world = World(store, clock, 1, truth, people, np.random.default_rng(1))
    world.to_the_end()
    assert world.state == "done"
    assert world.wrong() < 0.2
    with store.read() as opened:
        assert not any(broken_rules(opened).values())
    store.close()
