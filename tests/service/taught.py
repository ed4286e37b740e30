"""A project with a trained classifier: positive numbers are dogs, negative ones cats."""

from typing import Any

import numpy as np

from quorate.data.ids import as_names
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT
from quorate.service.classifiers.item import Item
from quorate.service.classifiers.softmax import Softmax, pack_classifier
from quorate.service.decisions.model_versions import publish_model
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import get
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Store
from tests.service.pools import make_project

N_ITEMS = 300


def make_taught_project(store: Store, **changes: Any) -> int:
    """Create a running project without items, each of whose questions has a model and a trained classifier."""
    settings: dict[str, Any] = {"policy": {"name": "expected_loss"}, "costs": {"error": 20}}
    project_id = make_project(store, 0, **(settings | {"learner": {"name": "linear"}} | changes))
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, N_ITEMS)
    numbers = np.where(truth, 1.0, -1.0) * rng.uniform(0.5, 3.0, N_ITEMS)
    training_items = [Item(n, "features", {}, to_blob([number])) for n, number in enumerate(numbers)]
    classifier = Softmax.fit(training_items, np.eye(2)[truth])
    assert classifier is not None
    pred_probs = classifier.predict_proba(training_items, np.ones(N_ITEMS, dtype=bool))
    with store.write() as connection:
        plan = plan_of(connection, project_id, get(connection, project_id).settings_version)
        for planned in plan.questions.values():
            votes = Votes(
                task=np.repeat(np.arange(N_ITEMS), 3),
                worker=np.tile(np.arange(3), N_ITEMS),
                label=np.repeat(truth, 3),
                tasks=as_names([str(n) for n in range(N_ITEMS)]),
                workers=as_names(["a", "b", "c"]),
                classes=as_names(list(planned.question.class_names)),
            )
            fused = planned.policy.fit(votes, {TAUGHT: pred_probs}, np.full(N_ITEMS, -1))
            packed = pack_classifier(classifier)
            publish_model(
                connection,
                planned.id,
                fused,
                n_votes=3 * N_ITEMS,
                machine=TAUGHT,
                metrics={},
                at=store.clock(),
                classifier=packed,
            )
    return project_id
