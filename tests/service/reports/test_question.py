from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quorate import Votes
from quorate.service.reports.confusions import LabelComparison, best_workers, compare_labels, confused_pairs
from quorate.service.reports.reliability import reliability_bins
from quorate.service.routes import models
from quorate.service.store.database import Store
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.pools import make_voters
from tests.service.reports.test_audit import PRICES, audit_all
from tests.service.routes.managing import as_stranger, client_of


def model_page(world: World, folder: Path) -> Any:
    with client_of(world.store, folder, models.router) as client:
        path = f"/api/projects/{world.project}/models"
        answer = client.get(path, params={"question": "pet"})
        assert answer.status_code == 200, answer.text
        assert client.get(path).json() == answer.json()  # the first question is the default
        assert client.get(path, params={"question": "weather"}).status_code == 422
        assert client.get(path, headers=as_stranger(world.store)).status_code == 403
        return answer.json()


def mean_gap(bins: list[dict[str, float]]) -> float:
    return sum(row["n"] * abs(row["said"] - row["right"]) for row in bins) / sum(row["n"] for row in bins)


def test_models_are_compared_with_the_votes_where_there_are_no_gold_labels(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    world = make_world(store, clock, 120)
    world.to_the_end()
    page = model_page(world, tmp_path)
    versions = [row["version"] for row in page["versions"]]
    assert versions == list(range(versions[0], 0, -1))
    assert page["versions"][0]["n_votes"] == world.bought
    assert page["versions"][0]["metrics"]["n_tasks"] == 120
    reliability = page["reliability"]
    assert reliability["against"] == "consensus"
    n_voted = sum(row.n_votes > 0 for row in world.rows())
    for bins in (reliability["before"], reliability["after"]):
        assert sum(row["n"] for row in bins) == n_voted
        assert [row["said"] for row in bins] == sorted(row["said"] for row in bins)
        assert mean_gap(bins) < 0.15  # the features separate the classes
    assert page["mistakes"] == []
    assert page["certificate"] is None


def test_models_and_the_crowd_are_compared_with_the_labels_of_experts(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    world = make_world(store, clock, 100, prices=PRICES, audit_share=1.0, learner={"name": "none"})
    [expert] = make_voters(store, world.project, 1, kind="expert")
    for _ in range(25):
        world.people_vote()
        world.learner.run_due_rounds()
    cats = [row.key for row in world.rows() if row.label == 0 and row.audited]
    dogs = set(cats[:10])  # labelled cat by the crowd, dog by the expert
    audit_all(world, expert, dogs)
    for _ in range(2):
        clock.now += 60
        world.learner.run_due_rounds()
    page = model_page(world, tmp_path)
    reliability = page["reliability"]
    n_gold = sum(row.status == "expert" for row in world.rows())
    assert (reliability["against"], reliability["before"]) == ("known", [])  # there is no classifier
    assert sum(row["n"] for row in reliability["after"]) == n_gold
    wrong = sum(row["n"] * (1 - row["right"]) for row in reliability["after"])
    assert wrong == pytest.approx(10, abs=0.1)
    [mistake] = page["mistakes"]
    assert (mistake["crowd"], mistake["best"]) == ("cat", "dog")
    assert 8 <= mistake["n"] <= 10  # tied votes give the crowd no label
    n_cats = round(mistake["n"] / mistake["share"])  # by at least two workers who are not among the best
    assert mistake["share"] == pytest.approx(mistake["n"] / n_cats, abs=1e-4)
    assert len(cats) / 2 < n_cats <= len(cats)
    assert len(mistake["items"]) == 5
    assert {item["key"] for item in mistake["items"]} <= dogs
    assert page["certificate"]["wrong"] == 10


def test_the_accuracy_of_a_bin_is_estimated_from_votes_that_are_often_wrong() -> None:
    rng = np.random.default_rng(0)
    probs = np.tile([0.95, 0.05], (4000, 1))
    truth = (rng.random(4000) < 0.1).astype(int)  # nine of ten predictions are right
    label = np.where(rng.random(4000) < 0.7, truth, 1 - truth)  # one vote each, with an accuracy of 70%
    votes = np.where(label[:, None] == np.arange(2), 0.7, 0.3)
    [row] = reliability_bins(probs, votes)
    assert row["right"] == pytest.approx(0.9, abs=0.04)
    assert votes[:, 0].mean() < 0.65  # the mean vote


def test_the_best_workers_have_the_highest_lower_bound_of_accuracy() -> None:
    labels = np.full((40, 5), -1)
    labels[:, 0] = 0  # forty votes, all right
    labels[:12, 1] = 0  # twelve, all right: it may be luck
    labels[:3, 2] = 0  # three: too few
    labels[:, 3] = [0] * 30 + [1] * 10
    labels[:, 4] = [0, 1] * 20
    votes = Votes.from_matrix(labels)
    chosen = best_workers(votes, np.tile([1.0, 0.0], (40, 1)))
    assert chosen.tolist() == [True, False, False, False, False]  # the best quarter of four


def test_ties_give_no_label_and_gold_labels_replace_those_of_the_best_workers() -> None:
    labels = np.full((30, 5), -1)
    labels[:, 0] = 1  # the only one with enough votes: the best
    labels[:4, 1:] = [[0, 0, -1, -1], [0, 1, -1, -1], [0, 0, 0, -1], [-1, -1, -1, -1]]
    gold = np.full(30, -1)
    gold[2] = 0
    comparison = compare_labels(Votes.from_matrix(labels), gold, np.tile([0.2, 0.8], (30, 1)))
    assert comparison.crowd[:4].tolist() == [0, -1, 0, -1]
    assert comparison.reference[:4].tolist() == [1, 1, 0, 1]
    assert comparison.crowd_counts[:4].tolist() == [[2, 0], [1, 1], [3, 0], [0, 0]]
    assert comparison.reference_error[:3] == pytest.approx([0.2, 0.2, 0.0])


def simulate_comparison(n_crowd: int, accuracy: float, *, confused: float, seed: int = 0) -> LabelComparison:
    """Simulate votes on 300 tasks: the crowd takes a share of class 0 for class 1, the best workers do not."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=300)
    looks = np.where((truth == 0) & (rng.random(300) < confused), 1, truth)
    labels = np.where(rng.random((300, n_crowd)) < accuracy, looks[:, None], 1 - looks[:, None])
    counts = np.stack([(labels == label).sum(axis=1) for label in (0, 1)], axis=1)
    best = np.where(rng.random(300) < 0.95, truth, 1 - truth)
    tied = counts[:, 0] == counts[:, 1]
    crowd = np.where(tied, -1, counts.argmax(axis=1))
    return LabelComparison(crowd, best, counts, np.full(300, 0.05))


@pytest.mark.parametrize("accuracy", [0.65, 0.8, 0.95])
@pytest.mark.parametrize("n_crowd", [2, 3, 5])
def test_random_errors_of_the_crowd_are_no_confusion(n_crowd: int, accuracy: float) -> None:
    comparisons = [simulate_comparison(n_crowd, accuracy, confused=0.0, seed=seed) for seed in range(20)]
    assert sum(bool(confused_pairs(comparison)) for comparison in comparisons) <= 3


@pytest.mark.parametrize(("n_crowd", "accuracy"), [(3, 0.8), (3, 0.95), (5, 0.75)])
def test_a_class_that_the_crowd_takes_for_another_is_found(n_crowd: int, accuracy: float) -> None:
    for seed in range(10):
        pairs = confused_pairs(simulate_comparison(n_crowd, accuracy, confused=0.4, seed=seed))
        [share] = [pair.share for pair in pairs if (pair.crowd, pair.reference) == (1, 0)]
        assert 0.15 < share < 0.5
