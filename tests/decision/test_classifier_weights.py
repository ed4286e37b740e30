import numpy as np
import pytest

from quorate.decision.classifier_weights import fit_weight_and_noise, machine_prior


def test_a_random_machine_loses_its_weight() -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 300)
    likelihood = np.where(np.eye(2)[truth] == 1, 0.9, 0.1)
    right = np.log(np.where(np.eye(2)[truth] == 1, 0.95, 0.05))
    assert fit_weight_and_noise(right, np.array([0.5, 0.5]), likelihood)[0] >= 1
    assert fit_weight_and_noise(random.permutation(right), np.array([0.5, 0.5]), likelihood)[0] <= 0.25


def test_the_machine_is_mixed_with_the_class_prior_by_hand() -> None:
    prior = machine_prior(np.log([[0.9, 0.1]]), np.array([0.5, 0.5]), weight=1.0, noise=0.2, n_tasks=1)
    assert prior[0, 0] == pytest.approx(0.8 * 0.9 + 0.2 * 0.5)
