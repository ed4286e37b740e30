import numpy as np
import pytest

from quorate.audit.certificate import certify
from quorate.errors import MethodError
from quorate.io import datasets


def test_all_right_by_hand() -> None:
    # 50 of 100 audited, all right: with 5 wrong of 100 the chance is .028, with 4 .06, with 3 .12.
    expert = np.where(np.arange(100) % 2, 1, -1)
    certificate = certify(np.ones(100), np.full(100, 0.9), expert, target=0.03)
    assert (certificate.holds, certificate.n_certified, certificate.threshold, certificate.bound) == (
        True,
        100,
        0.9,
        0.03,
    )
    assert not certify(np.ones(100), np.full(100, 0.9), expert, target=0.02).holds  # 3 are not ruled out


def test_nothing_certified_says_what_it_takes() -> None:
    certificate = certify([0, 1, -1], [0.9, 0.8, 0.99], [0, -1, 1], target=0.05)
    assert (certificate.holds, certificate.n_certified, certificate.n_accepted, certificate.n_audited) == (
        False,
        0,
        2,
        1,
    )
    assert np.isnan(certificate.bound)
    assert np.isinf(certificate.threshold)
    assert certificate.words == (
        "an error of at most 5% is not certified for any of 2 answers (1 audits, 0 wrong); "
        "that takes at least 45 audits without an error"
    )
    empty = certify([-1], [0.5], [-1], target=0.05)
    assert (empty.n_accepted, empty.n_audited, empty.n_wrong) == (0, 0, 0)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(MethodError, match="one confidence per label"):
        certify([0, 1], [0.5], [0, 1], target=0.1)
    with pytest.raises(MethodError, match="target must be between 0 and 1"):
        certify([0], [0.5], [0], target=5)
    with pytest.raises(MethodError, match="one entry per item"):
        certify([0], [0.5], [0, 1], target=0.1)


@pytest.mark.needs_data
@pytest.mark.parametrize("target", [0.02, 0.05])
def test_a_real_machine_is_certified_wrongly_in_one_run_of_ten_at_most(target: float) -> None:
    cifar = datasets.load("cifar10h")
    probs, gold = cifar.machines["resnet_low_acc"], cifar.gold
    assert gold is not None
    labels, confidence = probs.argmax(axis=1), probs.max(axis=1)
    violated, certified = 0, 0
    for seed in range(60):
        audited = np.random.default_rng(seed).permutation(len(labels)) < 400
        certificate = certify(labels, confidence, np.where(audited, gold, -1), target=target)
        kept = confidence >= certificate.threshold
        assert kept.sum() == certificate.n_certified
        violated += bool(kept.any() and (labels != gold)[kept].mean() > target)
        certified += certificate.holds
    assert violated <= 6
    assert certified >= 30
