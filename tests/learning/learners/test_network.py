"""Network: what it refuses, and what it makes of odd votes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from quorate import Votes, aggregate
from quorate.errors import MethodError, QuorateError, VotesError
from quorate.learning.bases.linear import Linear as LinearBase
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.annot_mix import AnnotMix
from quorate.learning.heads.conal import Conal
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.heads.multi_task import MultiTask
from quorate.learning.heads.plain import Plain
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.recipe import Recipe
from quorate.protocols import Valid
from tests.learning.tiny import tiny

QUICK = Recipe(epochs=2)
LEARNERS: list[Callable[[], Any]] = [lambda: Network(recipe=QUICK), Linear]


def refused(match: str, act: Callable[[], Any]) -> None:
    """Check that an act is refused with a message of one line."""
    with pytest.raises(QuorateError, match=match) as error:
        act()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("learner", LEARNERS, ids=["network", "linear"])
def test_refuses_features_that_do_not_fit(learner: Callable[[], Any]) -> None:
    x, votes, posterior = tiny()
    for bad in (np.nan, np.inf):
        spoilt = x.copy()
        spoilt[6, 2] = bad
        refused(r"row 7", lambda spoilt=spoilt: learner().fit(spoilt, votes, posterior))  # type: ignore[misc]
        refused(r"row 7", lambda spoilt=spoilt: learner().fit(sparse.csr_array(spoilt), votes, posterior))  # type: ignore[misc]
    refused("29 rows", lambda: learner().fit(x[1:], votes, posterior))
    refused("items x features", lambda: learner().fit(x[:, 0], votes, posterior))
    refused("items x features", lambda: learner().fit(x[:, :0], votes, posterior))
    refused("numbers", lambda: learner().fit(["a text"] * 30, votes, posterior))
    fitted = learner().fit(x, votes, posterior)
    refused("3 features.*fitted to 4", lambda: fitted.predict_proba(x[:, :3]))
    refused("NaN", lambda: fitted.predict_proba(np.full((1, 4), np.nan)))


@pytest.mark.parametrize("learner", LEARNERS, ids=["network", "linear"])
def test_refuses_a_posterior_of_other_votes(learner: Callable[[], Any]) -> None:
    x, votes, posterior = tiny()
    refused("aggregate these votes", lambda: learner().fit(x, votes, tiny(n_tasks=31)[2]))
    refused("aggregate these votes", lambda: learner().fit(x, votes, tiny(2)[2]))
    order = np.arange(30)[::-1]
    refused(
        "task 1 of the votes is 0, of the posterior 29",
        lambda: learner().fit(x, votes, aggregate(votes.subset(tasks=order))),
    )
    renamed = replace(posterior, classes=posterior.classes[::-1])
    refused("class 1 of the votes is 0", lambda: learner().fit(x, votes, renamed))
    same = replace(posterior, classes=posterior.classes.astype(np.dtypes.StringDType()))
    learner().fit(x, votes, same)  # 0 and "0" are the same name


@pytest.mark.parametrize("learner", LEARNERS, ids=["network", "linear"])
def test_refuses_validation_without_labels(learner: Callable[[], Any]) -> None:
    x, votes, posterior = tiny()
    gold = np.arange(30) % 3

    def fit(**valid: Any) -> Callable[[], Any]:
        return lambda: learner().fit(x, votes, posterior, valid=Valid(**valid))

    refused("either", fit(x=x))
    refused("either", fit(x=x, gold=gold, votes=votes))
    refused("29 rows", fit(x=x[1:], gold=gold))
    refused("30 rows", fit(x=x, votes=votes.subset(tasks=np.arange(5))))
    refused("gold of valid of row 3 is 3: use -1 or 0 to 2", fit(x=x, gold=gold + 1))
    refused("of row 1 is -2", fit(x=x, gold=gold - 2))
    refused("whole numbers", fit(x=x, gold=gold.astype(float)))
    refused("all are -1", fit(x=x, gold=np.full(30, -1)))
    refused("no gold", fit(x=x[:0], gold=gold[:0]))
    refused("2 classes", fit(x=x, votes=tiny(2)[1]))
    refused("no votes", fit(x=x, votes=votes.subset(rows=np.arange(0))))
    refused("classes", fit(x=x, votes=replace(votes, classes=np.array(["a", "b", "c"]))))
    refused("features", fit(x=x[:, :2], gold=gold))


@pytest.mark.parametrize("learner", LEARNERS, ids=["network", "linear"])
def test_needs_something_to_learn_from(learner: Callable[[], Any]) -> None:
    x, votes, _ = tiny()
    empty = votes.subset(rows=np.arange(0))
    refused("nothing to learn", lambda: learner().fit(x, empty, aggregate(empty, "majority")))
    posterior = aggregate(empty, "majority", gold=np.arange(30) % 3)
    learner().fit(x, empty, posterior)  # gold alone is enough
    stacked = learner()
    stacked.target = Stacked()
    refused("nothing to learn", lambda: stacked.fit(x, empty, posterior))


@pytest.mark.parametrize("head", [CrowdLayer(), AnnoReg(), Conal(), WeightedDoctorNet(), AnnotMix()], ids=str)
def test_heads_of_votes_need_votes(head: Any) -> None:
    x, votes, _ = tiny()
    empty = votes.subset(rows=np.arange(0))
    posterior = aggregate(empty, "majority", gold=np.arange(30) % 3)
    refused("votes|nothing", lambda: Network(head=head, recipe=QUICK).fit(x, empty, posterior))


@pytest.mark.parametrize(
    "head", [Plain(), MultiTask(), CrowdLayer(), AnnoReg(), WeightedDoctorNet(second_epochs=2)], ids=str
)
def test_batches_without_any_vote_can_be_trained(head: Any) -> None:
    """Train on batches of two examples, many of them without a vote."""
    x, votes, _ = tiny()
    few = votes.subset(rows=votes.task < 6)
    posterior = aggregate(few, "dawid_skene", gold=np.where(np.arange(30) >= 6, np.arange(30) % 3, -1))
    network = Network(head=head, recipe=Recipe(epochs=5, batch_size=2)).fit(x, few, posterior)
    assert np.isfinite(network.predict_proba(x)).all()
    assert max(network.history_.losses) < 10


def test_an_item_without_votes_has_no_part_in_training() -> None:
    x, votes, posterior = tiny()
    other = x.copy()
    other[28:] = 1e3
    for head in (Plain(), CrowdLayer()):
        learner = Network(head=head, base=LinearBase(scale="none"), recipe=QUICK)
        assert np.array_equal(
            learner.fit(other, votes, posterior).predict_proba(x), learner.fit(x, votes, posterior).predict_proba(x)
        )
        assert learner.predict_proba(x[28:]).shape == (2, 3)


def test_workers_of_validation_votes_are_matched_by_name() -> None:
    """Score an unknown and an anonymous worker by the last row of the table, which they share."""
    x, votes, posterior = tiny()
    network = Network(head=CrowdLayer(shrink=0.0), recipe=QUICK).fit(x, votes, posterior)
    with torch.no_grad():
        own = network.layers_.head.own
        own.copy_(torch.eye(3).repeat(7, 1, 1) * torch.arange(7.0)[:, None, None])
    task, label = np.arange(30), np.arange(30) % 3

    def score(workers: Any, worker: Any) -> float:
        seen = Votes(task=task, worker=worker, label=label, tasks=task, workers=np.array(workers), classes=np.arange(3))
        return network._valid_scorer(Valid(x=x, votes=seen), posterior)()

    p = torch.tensor(network.predict_proba(x))
    for row, (workers, worker) in {
        4: (["4"], np.zeros(30, int)),
        2: ([9, 2], np.ones(30, int)),
        6: (["stranger"], np.zeros(30, int)),
    }.items():
        expected = torch.log_softmax(row * p, dim=1)[task, label].mean().item()
        assert score(workers, worker) == pytest.approx(expected, abs=1e-5)
    assert score([0], np.full(30, -1)) == pytest.approx(score(["stranger"], np.zeros(30, int)))


def test_validation_in_parts_is_validation_as_a_whole() -> None:
    """Score more items than are computed at a time, with votes in any order and some items without votes."""
    x, votes, posterior = tiny()
    network = Network(head=Conal(), recipe=QUICK).fit(x, votes, posterior)
    many, much, _ = tiny(n_tasks=700, seed=4)
    shuffled = much.subset(rows=np.random.default_rng(0).permutation(len(much)))
    votes_of_workers = network.predict_votes(many)
    named = shuffled.worker >= 0
    expected = np.log(votes_of_workers[shuffled.task, shuffled.worker, shuffled.label])[named].mean()
    judge = network._valid_scorer(Valid(x=many, votes=shuffled.subset(rows=named)), posterior)
    assert judge() == pytest.approx(expected, abs=1e-5)


def test_plain_heads_are_scored_with_the_workers_of_the_posterior() -> None:
    x, votes, posterior = tiny()
    network = Network(recipe=QUICK).fit(x, votes, posterior)
    probs = network.predict_proba(x)
    model: Any = posterior.worker_model
    tables = np.concatenate([model.matrices, model.pool[None]])  # (worker, true, label)
    likelihood = [probs[t] @ tables[w][:, c] for t, w, c in zip(votes.task, votes.worker, votes.label, strict=True)]
    judge = network._valid_scorer(Valid(x=x, votes=votes), posterior)
    assert judge() == pytest.approx(np.log(likelihood).mean())


def test_validation_chooses_the_epoch() -> None:
    x, votes, posterior = tiny()
    for valid in (Valid(x=x, gold=np.arange(30) % 3), Valid(x=x, votes=votes)):
        for head in (Plain(), CrowdLayer()):
            network = Network(head=head, recipe=Recipe(epochs=6, lr=0.5)).fit(x, votes, posterior, valid=valid)
            scores = network.history_.scores
            assert network.history_.kept == int(np.argmax(scores))
            assert network._valid_scorer(valid, posterior)() == pytest.approx(max(scores), abs=1e-6)


@pytest.mark.parametrize("metric", ["log_loss", "accuracy", "macro_f1"])
def test_metrics_of_validation_are_higher_where_better(metric: Any) -> None:
    x, votes, posterior = tiny()
    network = Network(recipe=Recipe(epochs=1, metric=metric)).fit(x, votes, posterior)
    right = network.predict_proba(x).argmax(axis=1)
    scores = [network._valid_scorer(Valid(x=x, gold=gold), posterior)() for gold in (right, (right + 1) % 3)]
    assert scores[0] > scores[1]


def test_a_head_without_workers_cannot_predict_votes() -> None:
    x, votes, posterior = tiny()
    with pytest.raises(MethodError, match="CrowdLayer"):
        Network(recipe=QUICK).fit(x, votes, posterior).predict_votes(x)


def test_many_workers_are_asked_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    x, votes, posterior = tiny()
    network = Network(head=CrowdLayer(), recipe=QUICK).fit(x, votes, posterior)
    whole = network.predict_votes(x)
    asked: list[int] = []
    layer = network.layers_.head.vote_log_probs

    def counted(log_probs: Any, item: Any, worker: Any) -> Any:
        asked.append(len(item))
        return layer(log_probs, item, worker)

    monkeypatch.setattr("quorate.learning.learners.network.MAX_NUMBERS", 20 * votes.n_classes**2)
    monkeypatch.setattr(network.layers_.head, "vote_log_probs", counted)
    assert np.allclose(network.predict_votes(x), whole, atol=1e-6)
    assert max(asked) <= 20


def test_refuses_to_augment_other_items_than_images() -> None:
    x, votes, posterior = tiny()
    with pytest.raises(MethodError, match="images"):
        Network(recipe=replace(QUICK, augment=("flip",))).fit(x, votes, posterior)
    with pytest.raises(VotesError, match="texts"):
        Network(recipe=QUICK).fit(["text"] * 30, votes, posterior)


def test_batch_norm_needs_two_examples() -> None:
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    network = Network(base=Mlp(batch_norm=True), recipe=Recipe(epochs=1, batch_size=1))
    with pytest.raises(MethodError, match="batch norm needs"):
        network.fit(np.eye(2), votes, aggregate(votes))
