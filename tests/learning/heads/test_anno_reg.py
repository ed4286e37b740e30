"""Anno-Reg: confusion matrices as the paper has them, and the term that keeps their traces low."""

from typing import Any

import numpy as np
import pytest
import torch

from quorate import aggregate
from quorate.data.worker_models import Confusion
from quorate.errors import MethodError
from quorate.learning.heads._confusions import Confusions
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.base import Crowd
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe
from tests.learning.tiny import CE, Vote, batch_of, crowd_of, gradient, log, sees_log_probs, tiny

P = [[0.8, 0.2], [0.3, 0.7]]
VOTES: list[Vote] = [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 2, 1)]
MATRICES = np.array([[[0.9, 0.1], [0.3, 0.7]], [[0.6, 0.4], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]])


def layers_of(**options: Any) -> Any:
    return sees_log_probs(AnnoReg(**options).build(2, crowd_of(VOTES, 2, 3, MATRICES)))


def test_rows_sum_to_one_and_start_at_the_posterior() -> None:
    layers = layers_of()
    matrices = layers.confusions.matrices().detach().numpy()
    assert matrices == pytest.approx(MATRICES, abs=1e-6)
    with torch.no_grad():
        layers.confusions.own.add_(torch.randn(3, 2, 2))
    assert layers.confusions.matrices().sum(dim=2).detach().numpy() == pytest.approx(np.ones((3, 2)))


def test_start_equals_the_matrices_of_dawid_skene() -> None:
    _, votes, posterior = tiny()
    assert isinstance(posterior.worker_model, Confusion)
    matrices = Confusions(Crowd.of(votes, posterior), "posterior").matrices().detach().numpy()
    assert matrices[:-1] == pytest.approx(posterior.worker_model.matrices, abs=2e-4)
    assert matrices[-1] == pytest.approx(posterior.worker_model.pool, abs=2e-4)


def test_start_matches_workers_by_name() -> None:
    """Check a posterior with another order of workers: workers that it lacks start as anonymous ones."""
    _, votes, _ = tiny()
    voted = votes.votes_per_task > 0
    other = votes.subset(tasks=voted, workers=[4, 2, 0])
    model = aggregate(other, "dawid_skene")
    assert isinstance(model.worker_model, Confusion)
    confusion = Crowd.of(votes.subset(tasks=voted), model).confusion
    assert confusion is not None
    for row, index in ((4, 0), (2, 1), (0, 2)):
        assert confusion[row] == pytest.approx(model.worker_model.matrices[index])
    for row in (1, 3, 5, 6):
        assert confusion[row] == pytest.approx(model.worker_model.pool)


def test_diagonal_start() -> None:
    matrices = layers_of(start="diagonal").confusions.matrices().detach().numpy()
    assert matrices == pytest.approx(np.array([[[0.8, 0.2], [0.2, 0.8]]] * 3), abs=1e-6)


def test_vote_probabilities_are_p_times_the_matrix() -> None:
    """Check p C = (.8, .2) [[.9, .1], [.3, .7]] = (.78, .22)."""
    probs = layers_of().vote_log_probs(log(P), torch.tensor([0, 1]), torch.tensor([0, 1])).exp().detach().numpy()
    assert probs == pytest.approx(np.array([[0.78, 0.22], [0.46, 0.54]]), abs=1e-6)


VOTE_LOSS = -(np.log(0.78) + np.log(0.44) + np.log(0.3 * 0.1 + 0.7 * 0.7) + np.log(0.3 * 0.3 + 0.7 * 0.8))
TRACES = 1.6 + 1.2 + 1.5


@pytest.mark.parametrize(("reduction", "share"), [("votes", 1 / 4), ("sum", 1.0), ("cells", 1 / 4)])
def test_loss_by_hand(reduction: Any, share: float) -> None:
    """Check that the trace is added (the paper minimises it), on the scale of the votes."""
    batch = batch_of(log(P), VOTES)
    for trace in (0.0, 0.5):
        layers = layers_of(trace=trace, shrink=0.0, reduction=reduction)
        loss = layers(log(P), batch, CE)[0].item()
        assert loss == pytest.approx(share * (VOTE_LOSS + trace * TRACES), abs=1e-5)


def test_the_trace_goes_down() -> None:
    layers = layers_of(trace=50.0, shrink=0.0)
    before = layers.confusions.matrices().diagonal(dim1=1, dim2=2).sum().item()
    grad = gradient(layers(log(P), batch_of(log(P), VOTES), CE)[0], layers.confusions.own)
    with torch.no_grad():
        layers.confusions.own -= 0.1 * grad
    assert layers.confusions.matrices().diagonal(dim1=1, dim2=2).sum().item() < before - 0.1


def test_workers_without_votes_do_not_contribute_to_the_trace() -> None:
    """Leave out matrices that no vote constrains; the last one is used for unknown workers."""
    votes = [vote for vote in VOTES if vote[1] == 0]
    layers = sees_log_probs(AnnoReg(trace=0.5, shrink=0.0).build(2, crowd_of(votes, 2, 3, MATRICES)))
    grad = gradient(layers(log(P), batch_of(log(P), votes), CE)[0], layers.confusions.own)
    assert torch.all(grad[1:] == 0)
    assert torch.any(grad[0] != 0)


def test_columns_sum_to_one_with_over_true() -> None:
    layers = layers_of(over="true", trace=0.0)
    matrices = layers.confusions.matrices()
    assert matrices.sum(dim=1).detach().numpy() == pytest.approx(np.ones((3, 2)))
    assert matrices[0].detach().numpy() == pytest.approx(np.array([[0.75, 1 / 8], [0.25, 7 / 8]]), abs=1e-6)
    probs = layers.vote_log_probs(log(P), torch.tensor([0]), torch.tensor([0])).exp().detach().numpy()
    assert probs == pytest.approx(np.array([[0.8 * 0.75 + 0.2 * 0.25, 0.8 / 8 + 0.2 * 7 / 8]]), abs=1e-6)


def test_shrink_by_hand() -> None:
    """Add half of shrink per vote times the squared distance of the logits from the shared ones."""
    plain, shrunk = layers_of(shrink=0.0), layers_of(shrink=2.0)
    distance = np.square(np.log(MATRICES) - np.log(MATRICES[-1])).sum()
    difference = shrunk(log(P), batch_of(log(P), VOTES), CE)[0] - plain(log(P), batch_of(log(P), VOTES), CE)[0]
    assert difference.item() == pytest.approx(0.5 * 2.0 / 4 * distance, rel=1e-5)


def test_a_worker_without_a_vote_in_the_batch_has_exactly_no_gradient() -> None:
    layers = layers_of(shrink=0.0, trace=0.0)
    grad = gradient(layers(log(P), batch_of(log(P), VOTES[:2]), CE)[0], layers.confusions.own)
    assert torch.all(grad[2] == 0)
    assert torch.any(grad[0] != 0)


def test_a_batch_without_votes_has_no_gradient() -> None:
    layers = layers_of(shrink=0.0)
    loss = layers(log(P), batch_of(log(P), []), CE)[0]
    assert loss.item() == 0
    assert torch.all(gradient(loss, layers.confusions.own) == 0)


def test_training_lowers_the_loss() -> None:
    x, votes, posterior = tiny()
    network = Network(head=AnnoReg(), recipe=Recipe(epochs=15, lr=0.01)).fit(x, votes, posterior)
    assert network.history_.losses[-1] < network.history_.losses[0] - 0.1


def test_unknown_options_are_rejected() -> None:
    for options in ({"trace": -1.0}, {"shrink": -1.0}, {"start": "x"}, {"over": "x"}, {"reduction": "x"}):
        with pytest.raises(MethodError):
            AnnoReg(**options)
