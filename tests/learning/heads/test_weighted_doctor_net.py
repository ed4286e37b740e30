"""Weighted Doctor Net: what each of its two phases does, and what it leaves alone."""

from typing import Any

import numpy as np
import pytest
import torch

from quorate import Votes, aggregate
from quorate.errors import MethodError
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.schedules import Cyclic
from quorate.protocols import Valid
from tests.learning.tiny import CE, Vote, batch_of, crowd_of, gradient, tiny

VOTES: list[Vote] = [(0, 0, 2), (0, 1, 0), (1, 1, 1), (2, 0, 0), (2, 1, 0)]  # nobody is worker 2 or anonymous
FEATURES = torch.randn(4, 5, generator=torch.Generator().manual_seed(5))  # the fourth item has no votes


def layers_of(**options: Any) -> Any:
    torch.manual_seed(0)
    layers: Any = WeightedDoctorNet(**options).build(5, crowd_of(VOTES, 3, 4))
    with torch.no_grad():
        for weight in layers.parameters():
            weight.add_(0.4 * torch.randn(weight.shape))
    return layers


def classifier(layers: Any, worker: int, item: int) -> Any:
    """Return the probabilities of a worker's classifier for an item."""
    own = {name: weight.detach().double().numpy() for name, weight in layers.named_parameters()}
    rows = slice(3 * worker, 3 * worker + 3)
    x = FEATURES[item].double().numpy()
    scores = (own["shared.weight"] + own["own.weight"][rows]) @ x + own["shared.bias"] + own["own.bias"][rows]
    return np.exp(scores) / np.exp(scores).sum()


def test_phase_1_against_a_reference() -> None:
    for shrink in (0.0, 2.0):
        layers = layers_of(shrink=shrink)
        loss = -np.mean([np.log(classifier(layers, worker, item)[label]) for item, worker, label in VOTES])
        squares = (layers.own.weight.square().sum() + layers.own.bias.square().sum()).item()
        value = layers(FEATURES, batch_of(FEATURES, VOTES, 3), CE)[0].item()
        assert value == pytest.approx(loss + 0.5 * shrink / len(VOTES) * squares, rel=1e-5)


def test_phase_2_against_a_reference() -> None:
    """Compare with the cross-entropy between vote shares and the weighted mean of the classifiers."""
    layers = layers_of()
    layers.second_phase(Recipe())
    weight = np.exp(layers.weight.detach().double().numpy()[:2])
    total = 0.0
    for item, shares in enumerate([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]):
        mean = sum(weight[worker] / weight.sum() * classifier(layers, worker, item) for worker in (0, 1))
        total -= float(np.array(shares) @ np.log(mean))
    loss, log_probs = layers(FEATURES, batch_of(FEATURES, VOTES, 3), CE)
    assert loss.item() == pytest.approx(total / 4, rel=1e-5)
    assert log_probs[2].exp().detach().numpy() == pytest.approx(mean, rel=1e-5)
    assert torch.all(gradient(loss, layers.weight)[2:] == 0)
    assert torch.all(gradient(loss, layers.weight)[:2] != 0)


def test_a_classifier_learns_from_its_own_worker_only() -> None:
    layers = layers_of(shrink=0.0)
    loss = layers(FEATURES, batch_of(FEATURES, [(0, 1, 0)], 3), CE)[0]
    slope = gradient(loss, layers.own.weight).unflatten(0, (4, 3))
    assert torch.all(slope[[0, 2, 3]] == 0)
    assert torch.any(slope[1] != 0)


def test_the_second_phase_changes_only_the_weights() -> None:
    """Check that the base, with its running statistics, and the classifiers stay unchanged."""
    x, votes, posterior = tiny()
    kept: list[dict[str, Any]] = []

    class Watching(Network):
        def _train(self, *args: Any) -> Any:
            head: Any = self.layers_.head
            begin = head.second_phase

            def watched(recipe: Recipe) -> Recipe:
                kept.append({name: weight.clone() for name, weight in self.layers_.state_dict().items()})
                changed: Recipe = begin(recipe)
                return changed

            head.second_phase = watched
            return super()._train(*args)

    base, recipe = Mlp(sizes=(6,), batch_norm=True, dropout=0.3), Recipe(epochs=3, weight_decay=0.1)
    network = Watching(base=base, head=WeightedDoctorNet(second_epochs=4), recipe=recipe).fit(x, votes, posterior)
    after = network.layers_.state_dict()
    changed = {name for name, weight in kept[0].items() if not torch.equal(weight, after[name])}
    assert changed == {"head.weight"}
    assert "base.layers.1.running_mean" in after
    assert len(network.history_.losses) == 4


def test_validation_votes_score_the_prediction_in_the_second_phase() -> None:
    """Check that epochs have different scores; predictions of single workers no longer change in phase 2."""
    x, votes, posterior = tiny()
    head = WeightedDoctorNet(second_epochs=5, second_lr=0.3)
    network = Network(head=head, recipe=Recipe(epochs=2)).fit(x, votes, posterior, valid=Valid(x=x, votes=votes))
    assert len(set(network.history_.scores)) == 5


def test_workers_without_votes_have_no_weight() -> None:
    x, votes, posterior = tiny()
    named = votes.subset(rows=votes.worker >= 0)
    head = WeightedDoctorNet(second_epochs=2)
    network = Network(head=head, recipe=Recipe(epochs=2)).fit(x, named, posterior)
    before = network.predict_proba(x)
    with torch.no_grad():
        for idle in (5, 6):  # the last worker, and the anonymous voter
            network.layers_.head.weight[idle] = 100.0
            network.layers_.head.own.bias[3 * idle] = 100.0
    assert np.array_equal(network.predict_proba(x), before)


def test_prediction_is_the_weighted_mean_of_the_classifiers() -> None:
    x, votes, posterior = tiny()
    named = votes.subset(rows=votes.worker >= 0)
    head = WeightedDoctorNet(second_epochs=10, second_lr=0.3)
    network = Network(head=head, recipe=Recipe(epochs=2)).fit(x, named, posterior)
    weight = torch.softmax(network.layers_.head.weight[:5].detach(), dim=0).numpy()
    assert np.ptp(weight) > 0.01
    mean = (network.predict_votes(x)[:, :5] * weight[:, None]).sum(axis=1)
    assert network.predict_proba(x) == pytest.approx(mean, abs=1e-6)


def test_the_recipe_of_the_second_phase() -> None:
    layers = layers_of()
    recipe = layers.second_phase(Recipe(epochs=7, lr=1.0, weight_decay=0.5, checkpoint="x"))
    assert (recipe.epochs, recipe.lr, recipe.weight_decay, recipe.checkpoint) == (50, 0.01, 0.0, "")
    assert [name for name, weight in layers.named_parameters() if weight.requires_grad] == ["weight"]


def test_bad_options_are_rejected() -> None:
    for options in ({"second_epochs": 0}, {"second_lr": 0.0}, {"shrink": -1.0}, {"reduction": "x"}):
        with pytest.raises(MethodError):
            WeightedDoctorNet(**options)


def test_the_second_phase_of_weighted_doctor_net_has_its_own_recipe() -> None:
    schedule = Cyclic(period=4)
    head = WeightedDoctorNet(second_epochs=7, second_lr=0.5, second_optimiser="sgd", second_schedule=schedule)
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    network = Network(head=head, recipe=Recipe(epochs=1)).fit(np.eye(2), votes, aggregate(votes))
    second = network.layers_.head.second_phase(network.recipe)
    assert (second.epochs, second.lr, second.optimiser, second.schedule) == (7, 0.5, "sgd", schedule)
    with pytest.raises(MethodError, match="optimiser must be"):
        WeightedDoctorNet(second_optimiser="lbfgs")  # type: ignore[arg-type]
