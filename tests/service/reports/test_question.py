from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quorate import Votes
from quorate.service.reports.confusions import Voices, best_workers, pairs, two_voices
from quorate.service.reports.reliability import bins_of
from quorate.service.routes import models
from quorate.service.store.database import Store
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.pools import make_voters
from tests.service.reports.test_audit import PRICES, experts_look
from tests.service.routes.managing import as_stranger, client_of


def shown(world: World, folder: Path) -> Any:
    with client_of(world.store, folder, models.router) as client:
        path = f"/api/projects/{world.project}/models"
        answer = client.get(path, params={"question": "pet"})
        assert answer.status_code == 200, answer.text
        assert client.get(path).json() == answer.json()  # it is the first
        assert client.get(path, params={"question": "weather"}).status_code == 422
        assert client.get(path, headers=as_stranger(world.store)).status_code == 403
        return answer.json()


def mean_gap(bins: list[dict[str, float]]) -> float:
    return sum(one["n"] * abs(one["said"] - one["right"]) for one in bins) / sum(one["n"] for one in bins)


def test_models_are_held_against_the_consensus_where_no_expert_has_spoken(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    world = make_world(store, clock, 120)
    world.to_the_end()
    found = shown(world, tmp_path)
    versions = [one["version"] for one in found["versions"]]
    assert versions == list(range(versions[0], 0, -1))
    assert found["versions"][0]["n_votes"] == world.bought
    assert found["versions"][0]["metrics"]["n_tasks"] == 120
    reliability = found["reliability"]
    assert reliability["against"] == "consensus"
    n_voted = sum(row.n_votes > 0 for row in world.rows())
    for bins in (reliability["before"], reliability["after"]):
        assert sum(one["n"] for one in bins) == n_voted
        assert [one["said"] for one in bins] == sorted(one["said"] for one in bins)
        assert mean_gap(bins) < 0.15  # the features tell the classes apart
    assert found["mistakes"] == []
    assert found["certificate"] is None


def test_experts_judge_the_classifier_the_belief_and_the_instructions(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    world = make_world(store, clock, 100, prices=PRICES, audit_share=1.0, learner={"name": "none"})
    [expert] = make_voters(store, world.project, 1, kind="expert")
    for _ in range(25):
        world.people_vote()
        world.learner.look()
    cats = [row.key for row in world.rows() if row.label == 0 and row.audited]
    otherwise = set(cats[:10])  # of what the crowd calls cats, the expert calls some dogs
    experts_look(world, expert, otherwise)
    for _ in range(2):
        clock.now += 60
        world.learner.look()
    found = shown(world, tmp_path)
    reliability = found["reliability"]
    known = sum(row.status == "expert" for row in world.rows())
    assert (reliability["against"], reliability["before"]) == ("known", [])  # there is no classifier
    assert sum(one["n"] for one in reliability["after"]) == known
    wrong = sum(one["n"] * (1 - one["right"]) for one in reliability["after"])
    assert wrong == pytest.approx(10, abs=0.1)
    [mistake] = found["mistakes"]
    assert (mistake["crowd"], mistake["best"]) == ("cat", "dog")
    assert 8 <= mistake["n"] <= 10  # where the votes are tied nobody speaks for the crowd
    of = round(mistake["n"] / mistake["share"])  # cats that at least two say, who are not among the best
    assert mistake["share"] == pytest.approx(mistake["n"] / of, abs=1e-4)
    assert len(cats) / 2 < of <= len(cats)
    assert len(mistake["items"]) == 5
    assert {one["key"] for one in mistake["items"]} <= otherwise
    assert found["certificate"]["wrong"] == 10


def test_the_share_that_is_right_is_found_from_votes_that_are_often_wrong() -> None:
    rng = np.random.default_rng(0)
    sure = np.tile([0.95, 0.05], (4000, 1))
    truth = (rng.random(4000) < 0.1).astype(int)  # nine of ten are what was said
    said = np.where(rng.random(4000) < 0.7, truth, 1 - truth)  # one vote each, by people who are right in 70 %
    votes = np.where(said[:, None] == np.arange(2), 0.7, 0.3)
    [found] = bins_of(sure, votes)
    assert found["right"] == pytest.approx(0.9, abs=0.04)
    assert votes[:, 0].mean() < 0.65  # what the votes say on average


def test_the_best_are_those_who_are_surely_right_often() -> None:
    labels = np.full((40, 5), -1)
    labels[:, 0] = 0  # forty votes, all right
    labels[:12, 1] = 0  # twelve, all right: it may be luck
    labels[:3, 2] = 0  # three: too few
    labels[:, 3] = [0] * 30 + [1] * 10
    labels[:, 4] = [0, 1] * 20
    votes = Votes.from_matrix(labels)
    chosen = best_workers(votes, np.tile([1.0, 0.0], (40, 1)))
    assert chosen.tolist() == [True, False, False, False, False]  # the best quarter of four


def test_those_who_tie_say_nothing_and_what_is_known_is_the_better_word() -> None:
    labels = np.full((30, 5), -1)
    labels[:, 0] = 1  # the only one with enough votes: the best
    labels[:4, 1:] = [[0, 0, -1, -1], [0, 1, -1, -1], [0, 0, 0, -1], [-1, -1, -1, -1]]
    gold = np.full(30, -1)
    gold[2] = 0
    found = two_voices(Votes.from_matrix(labels), gold, np.tile([0.2, 0.8], (30, 1)))
    assert found.crowd[:4].tolist() == [0, -1, 0, -1]
    assert found.best[:4].tolist() == [1, 1, 0, 1]
    assert found.of_crowd[:4].tolist() == [[2, 0], [1, 1], [3, 0], [0, 0]]
    assert found.slip[:3] == pytest.approx([0.2, 0.2, 0.0])


def voices(n_crowd: int, accuracy: float, *, mistaken: float, seed: int = 0) -> Voices:
    """Three of the crowd on 300 tasks; of class 0 a share is taken for class 1 by all, though the best know better."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=300)
    looks = np.where((truth == 0) & (rng.random(300) < mistaken), 1, truth)
    said = np.where(rng.random((300, n_crowd)) < accuracy, looks[:, None], 1 - looks[:, None])
    counts = np.stack([(said == label).sum(axis=1) for label in (0, 1)], axis=1)
    best = np.where(rng.random(300) < 0.95, truth, 1 - truth)
    tied = counts[:, 0] == counts[:, 1]
    crowd = np.where(tied, -1, counts.argmax(axis=1))
    return Voices(crowd, best, counts, np.full(300, 0.05))


@pytest.mark.parametrize("accuracy", [0.65, 0.8, 0.95])
@pytest.mark.parametrize("n_crowd", [2, 3, 5])
def test_a_crowd_that_slips_has_understood_the_instructions(n_crowd: int, accuracy: float) -> None:
    wrongly = sum(bool(pairs(voices(n_crowd, accuracy, mistaken=0.0, seed=seed))) for seed in range(20))
    assert wrongly <= 3


@pytest.mark.parametrize(("n_crowd", "accuracy"), [(3, 0.8), (3, 0.95), (5, 0.75)])
def test_a_class_that_all_take_for_another_is_found(n_crowd: int, accuracy: float) -> None:
    for seed in range(10):
        found = pairs(voices(n_crowd, accuracy, mistaken=0.4, seed=seed))
        assert (1, 0) in [(said, better) for said, better, _, _ in found]
        share = next(share for said, better, share, _ in found if (said, better) == (1, 0))
        assert 0.15 < share < 0.5
