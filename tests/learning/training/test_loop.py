"""The training loop: what it repeats, keeps, records, and leaves alone."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from quorate import aggregate
from quorate.errors import MethodError
from quorate.learning.bases.linear import Linear as LinearBase
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.base import Crowd
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.network import Network
from quorate.learning.steps.sam import Sam
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training import loop
from quorate.learning.training.examples import Examples
from quorate.learning.training.loop import batches, class_balance, reweight, train
from quorate.learning.training.recipe import Recipe
from quorate.typing import Array
from tests.learning.tiny import CE, tiny
from tests.learning.training.quick import BASE, QUICK, fitted, raising, same, weights_of

# --- repeats, and leaves alone


def test_the_same_seed_gives_the_same_weights() -> None:
    for recipe in (QUICK, replace(QUICK, mixup=0.4, step=Sam(), balance="resample")):
        assert same(fitted(recipe), fitted(recipe))
        assert not same(fitted(recipe), fitted(recipe, seed=1))


def test_random_state_and_threads_of_the_user_are_restored() -> None:
    """Check that a fit neither changes nor depends on the random state and threads of torch."""
    torch.manual_seed(5)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    short = replace(QUICK, epochs=1, batch_size=64, threads=threads + 1)
    first = fitted(short)
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads
    torch.manual_seed(6)
    numbers = np.random.get_state()[1].copy()  # type: ignore[index]  # noqa: NPY002
    assert same(fitted(short), first)
    assert np.array_equal(np.random.get_state()[1], numbers)  # type: ignore[index]  # noqa: NPY002


def test_threads_come_back_after_a_failure() -> None:
    x, votes, posterior = tiny()
    threads = torch.get_num_threads()
    with pytest.raises(KeyError):
        Network(recipe=replace(QUICK, batch_size=64, threads=threads + 1)).fit(x, votes, posterior, on_epoch=raising(0))
    assert torch.get_num_threads() == threads


def test_fit_starts_anew() -> None:
    x, votes, posterior = tiny()
    network = fitted()
    first = weights_of(network)
    network.fit(x, votes, posterior)
    assert all(np.array_equal(first[name], weight) for name, weight in weights_of(network).items())


# --- early stopping


def train_with_scores(scores: list[float], **recipe: Any) -> tuple[Any, list[dict[str, Any]], Any]:
    """Train with these validation scores; return the history, the weights after each epoch, and the last ones."""
    x, votes, posterior = tiny()
    network = Network(base=BASE)
    network.input_spec_ = BASE.learn(x)
    rows = BASE.rows(x, network.input_spec_)
    torch.manual_seed(0)
    network.build_layers(Crowd.of(votes, posterior), votes.classes, votes.workers)
    after: list[dict[str, Any]] = []
    script = iter(scores)

    def score_valid() -> float:
        after.append(weights_of(network))
        assert not network.layers_.training
        return next(script)

    examples = Examples.of(rows, votes, Soft().make(votes, posterior))
    history = train(network.layers_, examples, CE, replace(QUICK, **recipe), seed=0, score_valid=score_valid)
    return history, after, weights_of(network)


def test_the_best_weights_are_kept() -> None:
    history, after, end = train_with_scores([0.1, 0.7, 0.2, 0.7], epochs=4)
    assert history.scores == [0.1, 0.7, 0.2, 0.7]
    assert history.kept == 1  # the first of equal scores
    assert all(np.array_equal(weight, after[1][name]) for name, weight in end.items())
    assert not all(np.array_equal(weight, after[3][name]) for name, weight in end.items())
    assert end["base.layers.1.num_batches_tracked"] == after[1]["base.layers.1.num_batches_tracked"]


@pytest.mark.parametrize(
    ("scores", "patience", "epochs"),
    [([1, 2, 1, 1, 9, 9], 2, 4), ([1, 2, 1, 3, 1, 1], 2, 6), ([5, 1, 1, 1], 3, 4), ([5, 1, 1, 1, 1, 1], 0, 6)],
)
def test_patience(scores: list[float], patience: int, epochs: int) -> None:
    history, after, _ = train_with_scores(scores, epochs=6, patience=patience)
    assert len(history.losses) == len(history.scores) == len(after) == epochs


def test_without_validation_the_last_weights_are_kept() -> None:
    assert fitted().history_.kept == 3


# --- a loss that is none


def test_a_loss_that_becomes_nan_is_reported() -> None:
    with pytest.raises(MethodError, match=r"epoch \d+: lower lr"):
        fitted(replace(QUICK, optimiser="sgd", lr=1e30, epochs=20), base=Mlp(sizes=(6,)))


# --- the trace


class Counting:
    """Counts the passes that only predict."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.predicted = 0
        monkeypatch.setattr(loop, "predict", self.count_predict(loop.predict))

    def count_predict(self, predict: Any) -> Any:
        def counted(*args: Any, **options: Any) -> Any:
            self.predicted += 1
            return predict(*args, **options)

        return counted


def traced(recipe: Recipe, **options: Any) -> tuple[Network, list[Array]]:
    seen: list[Array] = []
    return fitted(recipe, on_epoch=lambda epoch, probs: seen.append(probs.copy()), **options), seen


def test_recording_the_pass_takes_no_second_one(monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting(monkeypatch)
    forward = Mlp(sizes=(6,)).build({"n_inputs": 4}).__class__.forward
    calls: list[int] = []

    def counted(layers: Any, x: Any) -> Any:
        calls.append(len(x))
        return forward(layers, x)

    monkeypatch.setattr("quorate.learning.bases.mlp.Layers.forward", counted)
    _, seen = traced(QUICK)
    assert counting.predicted == 0
    assert sum(calls) == 4 * 28  # each of the 28 tasks with votes once in each of four epochs
    for probs in seen:
        assert probs.shape == (30, 3)
        assert np.isnan(probs[28:]).all()  # no votes: not looked at
        assert np.allclose(probs[:28].sum(axis=1), 1, atol=1e-5)


def test_the_recorded_pass_is_that_of_the_weights_before_their_step() -> None:
    """Record a pass with one batch per epoch: epoch n has the predictions of the weights of epoch n - 1."""
    recipe = replace(QUICK, batch_size=64)
    options: dict[str, Any] = {"base": Mlp(sizes=(6,))}
    _, before = traced(recipe, **options)
    _, after = traced(replace(recipe, record="after"), **options)
    for later, earlier in zip(before[1:], after[:-1], strict=True):
        assert later[:28] == pytest.approx(earlier[:28], abs=1e-6)


def test_a_trace_recorded_after_the_epoch_equals_predictions() -> None:
    x, _, _ = tiny()
    network, seen = traced(replace(QUICK, record="after"))
    assert seen[-1] == pytest.approx(network.predict_proba(x), abs=1e-6)
    assert seen[1] == pytest.approx(fitted(replace(QUICK, epochs=2)).predict_proba(x), abs=1e-6)


def test_mixed_items_are_recorded_after(monkeypatch: pytest.MonkeyPatch) -> None:
    x, _, _ = tiny()
    counting = Counting(monkeypatch)
    network, seen = traced(replace(QUICK, mixup=0.4))
    assert counting.predicted == 4
    assert seen[-1] == pytest.approx(network.predict_proba(x), abs=1e-6)


def test_recording_changes_nothing() -> None:
    for record in ("pass", "after"):
        assert same(traced(replace(QUICK, record=record))[0], fitted())


# --- balance


def unbalanced(target: Any) -> Examples:
    x, votes, _ = tiny(n_tasks=60)
    keep = np.flatnonzero((np.arange(60) % 3 != 2) | (np.arange(60) % 4 == 0))
    part = votes.subset(tasks=keep)
    rows = BASE.rows(x[keep], BASE.learn(x[keep]))
    return Examples.of(rows, part, target.make(part, aggregate(part, "naive_soft")))


def test_reweighting_gives_classes_the_same_total() -> None:
    for target in (Hard(), Stacked()):
        examples = unbalanced(target)
        totals = (examples.weight @ examples.target).numpy()
        assert totals.min() < 0.6 * totals.max()
        balanced = reweight(examples)
        assert (balanced.weight @ balanced.target).numpy() == pytest.approx(np.full(3, totals.sum() / 3), rel=1e-4)
        assert balanced.weight.mean().item() == pytest.approx(1, rel=1e-4)


def test_resampling_draws_classes_equally_often() -> None:
    examples = unbalanced(Hard())
    recipe, random = Recipe(balance="resample", batch_size=1000), torch.Generator().manual_seed(0)
    drawn = torch.stack([batch.target.sum(dim=0) for _ in range(200) for batch in batches(examples, recipe, random)])
    shares = (drawn.mean(dim=0) / len(examples)).numpy()
    assert shares == pytest.approx(np.full(3, 1 / 3), abs=0.02)


def test_an_absent_class_is_left_out_of_the_balance() -> None:
    examples = unbalanced(Hard())
    wider = replace(examples, target=torch.nn.functional.pad(examples.target, (0, 1)))
    assert class_balance(wider).numpy() == pytest.approx(class_balance(examples).numpy())


# --- odd shapes


@pytest.mark.parametrize("n_tasks", [11, 10, 3])
def test_a_last_batch_of_one_works_with_batch_norm(n_tasks: int) -> None:
    """Train on tasks of which two have no votes, in batches of eight: of eleven, nine are examples."""
    x, votes, posterior = tiny(n_tasks=n_tasks)
    network = Network(base=Mlp(sizes=(5,), batch_norm=True), recipe=QUICK)
    if n_tasks == 3:  # a single example: there is no batch to put it in
        network = Network(base=Mlp(sizes=(5,)), recipe=QUICK)
    assert np.isfinite(network.fit(x, votes, posterior).predict_proba(x)).all()


@pytest.mark.parametrize("head", [CrowdLayer(), WeightedDoctorNet(second_epochs=2)], ids=str)
@pytest.mark.parametrize("base", [LinearBase(scale="none"), Mlp(sizes=(6,), scale="none")], ids=str)
@pytest.mark.parametrize("mixup", [0.0, 0.5])
def test_sparse_x_gives_what_dense_x_gives(base: Any, head: Any, mixup: float) -> None:
    x, votes, posterior = tiny()
    x = np.where(np.abs(x) < 0.5, 0, x)
    recipe = replace(QUICK, mixup=mixup)
    dense = Network(base=base, head=head, recipe=recipe).fit(x, votes, posterior)
    few = Network(base=base, head=head, recipe=recipe).fit(sparse.csr_array(x), votes, posterior)
    assert few.predict_proba(sparse.csr_array(x)) == pytest.approx(dense.predict_proba(x), abs=1e-4)
    assert few.predict_proba(x) == pytest.approx(dense.predict_proba(x), abs=1e-4)


def test_nothing_to_predict() -> None:
    network = fitted(head=CrowdLayer())
    assert network.predict_proba(np.empty((0, 4))).shape == (0, 3)
    assert network.predict_votes(np.empty((0, 4))).shape == (0, 6, 3)
