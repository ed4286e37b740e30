from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from scipy import sparse

from quorate.errors import FileError
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.network import Network
from quorate.learning.losses.focal import Focal
from quorate.learning.steps.sam import Sam
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.smoothed import Smoothed
from quorate.protocols import Valid
from tests.learning.tiny import tiny
from tests.learning.training.quick import BASE, QUICK, fitted, raising, same

# --- early stopping


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
def test_resumed_equals_uninterrupted(tmp_path: Path, head: Any, options: dict[str, Any], at: int) -> None:
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
