"""What every head promises: each that is found is held to it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from quorate import Votes, aggregate, registry
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.base import Crowd
from quorate.learning.heads.crowd_layer import CrowdLayer, CrowdLayers
from quorate.learning.heads.geo_crowd_net import GeoCrowdNet
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.network import Network
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.recipe import Recipe
from tests.learning.tiny import tiny

HEADS = [registry.method("learning.heads", name) for name in registry.names("learning.heads")]
VARIANTS = [
    CrowdLayer(weights="VW+B"),
    CrowdLayer(shrink=0.0, softmax="double"),
    AnnoReg(start="diagonal"),
    GeoCrowdNet(volume="workers"),
    AnnoReg(reduction="sum"),
    CrowdLayer(reduction="cells"),
]
KNOW_WORKERS = ("AnnoReg", "AnnotMix", "Conal", "CrowdLayer", "GeoCrowdNet", "WeightedDoctorNet", "Broken")


def network(head: Any, **recipe: Any) -> Network:
    options: dict[str, Any] = {"epochs": 3, "lr": 0.05, "batch_size": 32} | recipe
    return Network(base=Mlp(sizes=(8,)), head=quick(head), recipe=Recipe(**options))


def quick(head: Any) -> Any:
    return WeightedDoctorNet(second_epochs=3) if isinstance(head, WeightedDoctorNet) else head


def gives_rows_of_probabilities(head: Any) -> None:
    for n_classes in (2, 3):
        x, votes, posterior = tiny(n_classes)
        probs = network(head).fit(x, votes, posterior).predict_proba(x[:7])
        assert probs.shape == (7, n_classes)
        assert np.all(probs >= 0)
        assert np.allclose(probs.sum(axis=1), 1)


def learns_what_is_easy(head: Any) -> None:
    x, votes, posterior = tiny()
    fitted = network(head, epochs=30).fit(x, votes, posterior)
    assert np.mean(fitted.predict_proba(x).argmax(axis=1) == np.arange(30) % 3) > 0.85


def repeats_by_its_seed(head: Any) -> None:
    x, votes, posterior = tiny()
    model = network(head, epochs=2)
    first = model.fit(x, votes, posterior).predict_proba(x)
    assert np.array_equal(model.fit(x, votes, posterior).predict_proba(x), first)
    model.seed = 1
    assert not np.array_equal(model.fit(x, votes, posterior).predict_proba(x), first)


def predicts_answers_of_all_workers(head: Any) -> None:
    if type(head).__name__ not in KNOW_WORKERS:
        return
    x, votes, posterior = tiny()
    pred_probs = network(head, epochs=2).fit(x, votes, posterior).predict_votes(x[:5])
    assert pred_probs.shape == (5, votes.n_workers, 3)
    assert np.all(pred_probs >= 0)
    assert np.allclose(pred_probs.sum(axis=2), 1)


def loads_its_own_state(head: Any) -> None:
    x, votes, posterior = tiny()
    fitted, other = (network(head, epochs=2).fit(x, votes, posterior) for _ in range(2))
    with torch.no_grad():
        for weight in other.layers_.parameters():
            weight.add_(1.0)
    assert not np.array_equal(other.predict_proba(x), fitted.predict_proba(x))
    other.build_layers(Crowd(3, votes.n_workers + 1), votes.classes, votes.workers)  # as from a file: less is known
    other.layers_.load_state_dict(fitted.layers_.state_dict())
    assert np.array_equal(other.predict_proba(x), fitted.predict_proba(x))
    if type(head).__name__ in KNOW_WORKERS:
        assert np.array_equal(other.predict_votes(x), fitted.predict_votes(x))


def follows_a_renaming_of_classes(head: Any) -> None:
    """Not number by number, since weights start at random; but what it finds is called by its new name."""
    x, votes, _ = tiny()
    rename = np.array([2, 0, 1])
    renamed = Votes.from_arrays(
        votes.task, votes.worker, rename[votes.label], n_classes=3, n_tasks=votes.n_tasks, n_workers=votes.n_workers
    )
    labels = [
        network(head, epochs=30).fit(x, crowd, aggregate(crowd)).predict_proba(x).argmax(axis=1)
        for crowd in (votes, renamed)
    ]
    assert np.mean(rename[labels[0]] == labels[1]) > 0.85


def goes_by_the_rows_of_x_not_their_order(head: Any) -> None:
    """Tasks in another order come in other batches; what is said of each stays about the same."""
    x, votes, posterior = tiny()
    order = np.random.default_rng(3).permutation(30)
    shuffled = votes.subset(tasks=order)
    after = network(head, epochs=30).fit(x[order], shuffled, aggregate(shuffled)).predict_proba(x)
    here = network(head, epochs=30).fit(x, votes, posterior).predict_proba(x)
    assert np.mean(after.argmax(axis=1) == here.argmax(axis=1)) > 0.85


def takes_odd_votes(head: Any) -> None:
    """One worker; nobody named; both; one class only; a class that nobody named; a task without votes."""
    x = np.random.default_rng(0).normal(size=(6, 3))
    label = np.array([0, 1, 0, 1, 0, 1])
    odd = [
        Votes.from_arrays(np.arange(6), np.zeros(6, int), label, n_classes=2),
        Votes.from_counts([[3, 1], [0, 2], [2, 0], [1, 3], [2, 0], [0, 1]]),
        Votes.from_arrays(np.repeat(np.arange(6), 2), [-1, 0] * 6, np.repeat(label, 2), n_classes=2),
        Votes.from_arrays(np.arange(6), np.arange(6) % 2, np.zeros(6, int), n_classes=2),
        Votes.from_arrays(np.arange(6), np.arange(6) % 2, label, n_classes=3),
        Votes.from_arrays([0, 1], [0, 1], [0, 1], n_classes=2, n_tasks=6),
    ]
    for votes in odd:
        fitted = network(head, epochs=3, batch_size=4).fit(x, votes, aggregate(votes))
        probs = fitted.predict_proba(x)
        assert probs.shape == (6, votes.n_classes)
        assert np.allclose(probs.sum(axis=1), 1)
        if type(head).__name__ in KNOW_WORKERS:
            assert fitted.predict_votes(x).shape == (6, votes.n_workers, votes.n_classes)


def thinks_little_of_a_class_that_nobody_named(head: Any) -> None:
    x, votes, _ = tiny(2)
    wider = Votes.from_arrays(votes.task, votes.worker, votes.label, n_classes=3, n_tasks=votes.n_tasks)
    posterior = aggregate(wider)
    probs = network(head, epochs=30).fit(x, wider, posterior).predict_proba(x)
    assert probs[:, 2].mean() < 1 / 3 - 0.02


CHECKS: list[Callable[[Any], None]] = [
    gives_rows_of_probabilities,
    learns_what_is_easy,
    repeats_by_its_seed,
    predicts_answers_of_all_workers,
    loads_its_own_state,
    takes_odd_votes,
]
SLOW_CHECKS: list[Callable[[Any], None]] = [
    follows_a_renaming_of_classes,
    goes_by_the_rows_of_x_not_their_order,
    thinks_little_of_a_class_that_nobody_named,
]


@pytest.mark.parametrize("check", [*CHECKS, *SLOW_CHECKS], ids=lambda check: check.__name__)
@pytest.mark.parametrize("head", HEADS, ids=str)
def test_contract(head: Any, check: Callable[[Any], None]) -> None:
    check(head)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("head", VARIANTS, ids=str)
def test_contract_of_variants(head: Any, check: Callable[[Any], None]) -> None:
    check(head)


@dataclass(frozen=True, kw_only=True)
class Broken(CrowdLayer):
    """A head with one fault."""

    fault: str = "none"

    def build(self, size: int, crowd: Crowd) -> Any:
        if self.fault == "one voter crash" and crowd.n_voters == 1:
            raise AssertionError("somebody must be named")
        return BrokenLayers(size, crowd, self)


class BrokenLayers(CrowdLayers):
    """CrowdLayer, spoilt."""

    def __init__(self, size: int, crowd: Crowd, options: Broken) -> None:
        super().__init__(size, crowd, options)
        self.fault, self.kept = options.fault, torch.zeros(crowd.n_classes)

    def log_probs(self, features: Tensor) -> Tensor:
        good = super().log_probs(features)
        first = torch.eye(good.shape[1])[0]
        spoilt = {
            "nan": lambda: good * torch.nan,
            "random": lambda: good + torch.randn(good.shape),
            "fond of the first class": lambda: good + 9 * first,
            "even": lambda: good * 0,
            "kept elsewhere": lambda: good + self.kept,
        }
        return spoilt[self.fault]() if self.fault in spoilt and not self.training else good

    def vote_log_probs(self, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        good = super().vote_log_probs(log_probs, item, worker)
        return good * torch.nan if self.fault == "nan answers" and not self.training else good

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        if self.fault == "learns places":
            batch = replace(batch, label=(batch.task // 10).clamp_max(2)[batch.item])
        loss, log_probs = super().forward(features, batch, criterion)
        self.kept = self.kept + 0.1 * torch.arange(log_probs.shape[1])
        return (loss * 0 if self.fault == "learns nothing" else loss), log_probs


BROKEN_BY = {
    "gives_rows_of_probabilities": "nan",
    "learns_what_is_easy": "learns nothing",
    "repeats_by_its_seed": "random",
    "predicts_answers_of_all_workers": "nan answers",
    "loads_its_own_state": "kept elsewhere",
    "takes_odd_votes": "one voter crash",
    "follows_a_renaming_of_classes": "fond of the first class",
    "goes_by_the_rows_of_x_not_their_order": "learns places",
    "thinks_little_of_a_class_that_nobody_named": "even",
}


@pytest.mark.parametrize("check", [*CHECKS, *SLOW_CHECKS], ids=lambda check: check.__name__)
def test_contract_bites(check: Callable[[Any], None]) -> None:
    check(Broken())
    with pytest.raises(AssertionError):
        check(Broken(fault=BROKEN_BY[check.__name__]))


def test_heads_that_know_workers_say_so() -> None:
    x, votes, posterior = tiny()
    for head in HEADS:
        layers = network(head, epochs=1).fit(x, votes, posterior).layers_
        assert hasattr(layers.head, "vote_log_probs") == (type(head).__name__ in KNOW_WORKERS)
