"""The training loop: what it repeats, keeps, records, and leaves alone."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from scipy import sparse

from quorate import aggregate
from quorate.errors import FileError, MethodError
from quorate.learning.bases.linear import Linear as LinearBase
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.base import Crowd
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.network import Network
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.losses.focal import Focal
from quorate.learning.steps.sam import Sam
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.smoothed import Smoothed
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training import loop
from quorate.learning.training.examples import Examples
from quorate.learning.training.loop import batches, class_balance, reweighted, train
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.schedules import Constant, Cosine, Cyclic, Steps
from quorate.protocols import Valid
from quorate.typing import Array
from tests.learning.tiny import tiny

CE = CrossEntropy().build(None)
BASE = Mlp(sizes=(6,), dropout=0.2, batch_norm=True)
QUICK = Recipe(epochs=4, batch_size=8, lr=0.01)


def fitted(recipe: Recipe = QUICK, seed: int = 0, **options: Any) -> Network:
    x, votes, posterior = tiny()
    fit: dict[str, Any] = {name: options.pop(name) for name in ("valid", "on_epoch") if name in options}
    return Network(**({"base": BASE} | options), recipe=recipe, seed=seed).fit(x, votes, posterior, **fit)


def weights_of(network: Network) -> dict[str, Any]:
    return {name: weight.numpy().copy() for name, weight in network.layers_.state_dict().items()}


def same(a: Network, b: Network) -> bool:
    ours, theirs = weights_of(a), weights_of(b)
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


# --- repeats, and leaves alone


def test_the_same_seed_gives_the_same_weights() -> None:
    for recipe in (QUICK, replace(QUICK, mixup=0.4, step=Sam(), balance="resample")):
        assert same(fitted(recipe), fitted(recipe))
        assert not same(fitted(recipe), fitted(recipe, seed=1))


def test_what_belongs_to_the_user_is_left_alone() -> None:
    """Random numbers and threads of torch: neither changed by a fit, nor does a fit go by them."""
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


def raising(at: int) -> Callable[[int, Array], None]:
    """A callback that breaks a training off."""

    def on_epoch(epoch: int, probs: Array) -> None:
        if epoch == at:
            raise KeyError(epoch)

    return on_epoch


def test_fit_starts_anew() -> None:
    x, votes, posterior = tiny()
    network = fitted()
    first = weights_of(network)
    network.fit(x, votes, posterior)
    assert all(np.array_equal(first[name], weight) for name, weight in weights_of(network).items())


# --- rates


class Rates:
    """A plain step that takes down the rate."""

    def __init__(self) -> None:
        self.seen: list[float] = []

    def take(self, compute: Any, optimiser: Any) -> Any:
        self.seen.append(optimiser.param_groups[0]["lr"])
        loss, log_probs = compute()
        return loss, log_probs


@pytest.mark.parametrize(
    ("schedule", "shares"),
    [
        (Constant(), [1, 1, 1, 1]),
        (Steps(at=(1, 3), factor=0.5), [1, 0.5, 0.5, 0.25]),
        (Cosine(), [1, 0.5 + 0.125**0.5, 0.5, 0.5 - 0.125**0.5]),
        (Cyclic(period=4, low=0.2), [0.2, 0.6, 1.0, 0.6]),
    ],
)
def test_schedules_set_the_rate(schedule: Any, shares: list[float]) -> None:
    rates = Rates()
    fitted(replace(QUICK, lr=0.1, batch_size=64, schedule=schedule, step=rates))
    assert rates.seen == pytest.approx([0.1 * share for share in shares])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cyclic(period=0), "period must be at least 2, got 0"),
        (lambda: Cyclic(period=1), "period must be at least 2"),
        (lambda: Cyclic(low=-0.1), "low must be from 0 to 1, got -0.1"),
        (lambda: Cyclic(low=float("nan")), "low must be from 0 to 1"),
        (lambda: Steps(factor=0.0), "factor must be above zero, got 0"),
        (lambda: Steps(at=(5, -1)), r"at must be a tuple of epochs, each zero or more, .* got \(5, -1\)"),
        (lambda: Steps(at=5), "at must be a tuple of epochs"),  # type: ignore[arg-type]
    ],
)
def test_schedules_that_make_no_sense_are_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(MethodError, match=message):
        make()


# --- early stopping


def judged(scores: list[float], **recipe: Any) -> tuple[Any, list[dict[str, Any]], Any]:
    """A training that is told its scores; the weights after each epoch, and those at its end."""
    x, votes, posterior = tiny()
    network = Network(base=BASE)
    network.known_ = BASE.learn(x)
    rows = BASE.rows(x, network.known_)
    torch.manual_seed(0)
    network.build_layers(Crowd.of(votes, posterior), votes.classes, votes.workers)
    after: list[dict[str, Any]] = []
    script = iter(scores)

    def judge() -> float:
        after.append(weights_of(network))
        assert not network.layers_.training
        return next(script)

    examples = Examples.of(rows, votes, Soft().make(votes, posterior))
    history = train(network.layers_, examples, CE, replace(QUICK, **recipe), seed=0, judge=judge)
    return history, after, weights_of(network)


def test_the_best_weights_are_kept() -> None:
    history, after, end = judged([0.1, 0.7, 0.2, 0.7], epochs=4)
    assert history.scores == [0.1, 0.7, 0.2, 0.7]
    assert history.kept == 1  # the first of equals
    assert all(np.array_equal(weight, after[1][name]) for name, weight in end.items())
    assert not all(np.array_equal(weight, after[3][name]) for name, weight in end.items())
    assert end["base.layers.1.num_batches_tracked"] == after[1]["base.layers.1.num_batches_tracked"]


@pytest.mark.parametrize(
    ("scores", "patience", "epochs"),
    [([1, 2, 1, 1, 9, 9], 2, 4), ([1, 2, 1, 3, 1, 1], 2, 6), ([5, 1, 1, 1], 3, 4), ([5, 1, 1, 1, 1, 1], 0, 6)],
)
def test_patience(scores: list[float], patience: int, epochs: int) -> None:
    history, after, _ = judged(scores, epochs=6, patience=patience)
    assert len(history.losses) == len(history.scores) == len(after) == epochs


def test_without_validation_the_last_weights_are_kept() -> None:
    assert fitted().history_.kept == 3


# --- checkpoints


def valid_of(shift: int) -> Valid:
    """Gold that is right, so that the last epochs are the best; shifted, so that the first is."""
    x, _, _ = tiny(seed=1)
    return Valid(x=x, gold=(np.arange(30) + shift) % 3)


HEADS = [
    (CrowdLayer(), {}),
    (CrowdLayer(), {"step": Sam(), "mixup": 0.3}),
    (CrowdLayer(), {"optimiser": "sgd", "momentum": 0.0}),
    (CrowdLayer(), {"optimiser": "sgd"}),
    (WeightedDoctorNet(second_epochs=2), {}),
]


@pytest.mark.parametrize(("head", "options"), HEADS, ids=str)
@pytest.mark.parametrize("at", [2, 5])
def test_going_on_gives_what_an_unbroken_run_gives(tmp_path: Path, head: Any, options: dict[str, Any], at: int) -> None:
    """Bit by bit: dropout, order, the optimiser's state, the best weights and the history."""
    valid = valid_of(shift=int(at == 5))
    recipe = replace(QUICK, epochs=7, lr=0.05, every=2, **options)
    whole = fitted(recipe, head=head, valid=valid, on_epoch=lambda epoch, probs: None)
    kept = replace(recipe, checkpoint=str(tmp_path / "training"))
    with pytest.raises(KeyError):
        fitted(kept, head=head, valid=valid, on_epoch=raising(at))
    epochs: list[int] = []
    resumed = fitted(kept, head=head, valid=valid, on_epoch=lambda epoch, probs: epochs.append(epoch))
    assert epochs == list(range(at // 2 * 2, 7))
    assert same(resumed, whole)
    assert vars(resumed.history_) == vars(whole.history_)


def test_a_training_that_has_ended_is_not_repeated(tmp_path: Path) -> None:
    kept = replace(QUICK, checkpoint=str(tmp_path / "training"))
    first, epochs = fitted(kept), list[int]()
    assert same(fitted(kept, on_epoch=lambda epoch, probs: epochs.append(epoch)), first)
    assert epochs == []
    longer = fitted(replace(kept, epochs=6), on_epoch=lambda epoch, probs: epochs.append(epoch))
    assert epochs == [4, 5]
    assert same(longer, fitted(replace(QUICK, epochs=6)))


def test_another_training_does_not_go_on_from_it(tmp_path: Path) -> None:
    """Other votes, items, options or seed: of the same shapes, it would pass unnoticed."""
    kept = replace(QUICK, checkpoint=str(tmp_path / "training"))
    fitted(kept)
    x, votes, posterior = tiny()
    right, wrong = valid_of(0), valid_of(1)
    others: list[Callable[[], Any]] = [
        lambda: fitted(kept, seed=1),
        lambda: fitted(replace(kept, lr=0.02)),
        lambda: fitted(kept, target=Hard()),
        lambda: Network(base=BASE, recipe=kept).fit(-x, votes, posterior),
        lambda: Network(base=BASE, recipe=kept).fit(*tiny(seed=3)),
        lambda: fitted(kept, loss=Focal()),
        lambda: fitted(kept, target=Smoothed(alpha=0.0)),
        lambda: fitted(kept, valid=right),
    ]
    refused(others)
    judged = replace(kept, checkpoint=str(tmp_path / "judged"))
    fitted(judged, head=AnnoReg(trace=0.01), valid=right)
    fitted(judged, head=AnnoReg(trace=0.01), valid=Valid(x=right.x, gold=np.asarray(right.gold).tolist()))  # the same
    refused(
        [
            lambda: fitted(judged, head=AnnoReg(trace=0.5), valid=right),
            lambda: fitted(judged, head=AnnoReg(trace=0.01), valid=wrong),
            lambda: fitted(judged, head=AnnoReg(trace=0.01), valid=Valid(x=-np.asarray(right.x), gold=right.gold)),
            lambda: fitted(judged, head=AnnoReg(trace=0.01), valid=Valid(x=x, votes=votes)),
            lambda: fitted(judged, head=AnnoReg(trace=0.01)),
        ]
    )


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_checkpoint_is_of_every_row(tmp_path: Path, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.learning.training.checkpoint.ROWS", 7)
    x, votes, posterior = tiny()
    network = Network(
        base=Mlp(sizes=(6,), scale="none"), recipe=replace(QUICK, epochs=1, checkpoint=str(tmp_path / "training"))
    )
    network.fit(kind(x), votes, posterior)
    network.fit(kind(x), votes, posterior)
    for row in range(len(x)):
        changed = x.copy()
        changed[row, 0] += 1e-3
        with pytest.raises(FileError, match="another training"):
            network.fit(kind(changed), votes, posterior)


def refused(others: list[Callable[[], Any]]) -> None:
    for other in others:
        with pytest.raises(FileError, match="another training") as error:
            other()
        assert "\n" not in str(error.value)


def test_a_foreign_file_is_refused_in_one_line(tmp_path: Path) -> None:
    text, tensors, other = tmp_path / "text", tmp_path / "tensors", tmp_path / "other"
    text.write_text("not a checkpoint")
    save_file({"a": torch.zeros(2)}, tensors)
    fitted(replace(QUICK, checkpoint=str(other)), base=Mlp(sizes=(9,)))
    for path in (text, tensors, other):
        with pytest.raises(FileError) as error:
            fitted(replace(QUICK, checkpoint=str(path)))
        assert str(error.value).startswith(str(path))
        assert "\n" not in str(error.value)


# --- a loss that is none


def test_a_loss_that_becomes_nan_is_told() -> None:
    with pytest.raises(MethodError, match=r"epoch \d+: lower lr"):
        fitted(replace(QUICK, optimiser="sgd", lr=1e30, epochs=20), base=Mlp(sizes=(6,)))


# --- the trace


class Counting:
    """Counts the passes that only predict."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.predicted = 0
        monkeypatch.setattr(loop, "predict", self.count_predict(loop.predict))

    def count_predict(self, predict: Any) -> Any:
        def counted(*given: Any, **options: Any) -> Any:
            self.predicted += 1
            return predict(*given, **options)

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
    """With one batch an epoch, epoch n records what the weights of epoch n - 1 say."""
    recipe = replace(QUICK, batch_size=64)
    options: dict[str, Any] = {"base": Mlp(sizes=(6,))}
    _, before = traced(recipe, **options)
    _, after = traced(replace(recipe, record="after"), **options)
    for later, earlier in zip(before[1:], after[:-1], strict=True):
        assert later[:28] == pytest.approx(earlier[:28], abs=1e-6)


def test_recording_after_is_what_is_predicted() -> None:
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


def test_reweighting_makes_classes_count_alike() -> None:
    for target in (Hard(), Stacked()):
        examples = unbalanced(target)
        totals = (examples.weight @ examples.target).numpy()
        assert totals.min() < 0.6 * totals.max()
        balanced = reweighted(examples)
        assert (balanced.weight @ balanced.target).numpy() == pytest.approx(np.full(3, totals.sum() / 3), rel=1e-4)
        assert balanced.weight.mean().item() == pytest.approx(1, rel=1e-4)


def test_resampling_draws_classes_alike() -> None:
    examples = unbalanced(Hard())
    recipe, random = Recipe(balance="resample", batch_size=1000), torch.Generator().manual_seed(0)
    drawn = torch.stack([batch.target.sum(dim=0) for _ in range(200) for batch in batches(examples, recipe, random)])
    shares = (drawn.mean(dim=0) / len(examples)).numpy()
    assert shares == pytest.approx(np.full(3, 1 / 3), abs=0.02)


def test_a_class_that_is_not_there_needs_no_balance() -> None:
    examples = unbalanced(Hard())
    wider = replace(examples, target=torch.nn.functional.pad(examples.target, (0, 1)))
    assert class_balance(wider).numpy() == pytest.approx(class_balance(examples).numpy())


# --- odd shapes


@pytest.mark.parametrize("n_tasks", [11, 10, 3])
def test_a_batch_of_one_left_over_is_no_trouble_for_batch_norm(n_tasks: int) -> None:
    """Two tasks have no votes: nine are taught, in batches of eight."""
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
