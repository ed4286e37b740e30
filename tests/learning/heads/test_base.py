"""The masked loss over votes: what is missing has no part in it."""

from math import log as ln
from typing import Any

import pytest
import torch

from quorate.errors import MethodError
from quorate.learning.heads.base import Crowd, all_pairs, penalty_scale, reduction_factor, vote_counts, vote_loss
from quorate.learning.heads.crowd_layer import CrowdLayer
from tests.learning.tiny import CE, batch_of, crowd_of, log, tiny

VOTES = [(0, 0, 1), (1, 0, 0), (1, 2, 1)]  # three of the 2 x 3 cells of two items and three named workers
VOTE_PROBS = [[0.75, 0.25], [0.5, 0.5], [0.9, 0.1]]
TOTAL = -(ln(0.25) + ln(0.5) + ln(0.1))


@pytest.mark.parametrize(("reduction", "share"), [("votes", 1 / 3), ("sum", 1.0), ("cells", 1 / 6)])
def test_reductions_by_hand(reduction: Any, share: float) -> None:
    loss = vote_loss(log(VOTE_PROBS), batch_of(torch.zeros(2, 1), VOTES), CE, reduction, n_voters=4)
    assert loss.item() == pytest.approx(share * TOTAL)


def test_votes_and_cells_agree_if_all_have_voted() -> None:
    votes = [(item, worker, (item + worker) % 2) for item in range(2) for worker in range(3)]
    batch = batch_of(torch.zeros(2, 1), votes)
    log_probs = log([[0.3, 0.7]] * 6)
    assert vote_loss(log_probs, batch, CE, "votes", 4).item() == pytest.approx(
        vote_loss(log_probs, batch, CE, "cells", 4).item()
    )


def test_weights_of_votes() -> None:
    """Check that a vote of weight two counts twice, and one of weight zero not at all."""
    weight = torch.tensor([2.0, 1.0, 0.0])
    batch = batch_of(torch.zeros(2, 1), VOTES, vote_weight=weight)
    total = -(2 * ln(0.25) + ln(0.5))
    assert vote_loss(log(VOTE_PROBS), batch, CE, "votes", 4).item() == pytest.approx(total / 3)
    assert vote_loss(log(VOTE_PROBS), batch, CE, "sum", 4).item() == pytest.approx(total)
    assert vote_counts(batch, 2).tolist() == [[0, 2], [1, 0]]


@pytest.mark.parametrize("reduction", ["votes", "sum", "cells"])
def test_a_batch_without_votes_has_no_loss(reduction: Any) -> None:
    batch = batch_of(torch.zeros(3, 1), [])
    assert vote_loss(torch.zeros(0, 2), batch, CE, reduction, 4).item() == 0
    assert reduction_factor(batch, reduction, 4) <= 1


def test_cells_of_a_crowd_without_names() -> None:
    """Check that a batch without named workers has one cell per item."""
    assert reduction_factor(batch_of(torch.zeros(2, 1), [(0, 0, 1)]), "cells", 1) == pytest.approx(1 / 2)


@pytest.mark.parametrize(("reduction", "share"), [("votes", 1.0), ("sum", 3.0), ("cells", 3 / 6)])
def test_a_penalty_has_the_same_weight_for_any_reduction(reduction: Any, share: float) -> None:
    """Check that loss and penalty are both scaled by 1, 3 or 1/2 relative to the mean over votes."""
    batch = batch_of(torch.zeros(2, 1), VOTES)
    assert vote_loss(log(VOTE_PROBS), batch, CE, reduction, 4).item() == pytest.approx(share * TOTAL / 3)
    assert penalty_scale(batch, reduction, crowd_of(VOTES, 2, 4)) == pytest.approx(share / 3)


def test_all_pairs() -> None:
    item, worker = all_pairs(2, 4)
    assert list(zip(item.tolist(), worker.tolist(), strict=True)) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert [len(part) for part in all_pairs(5, 1)] == [0, 0]


def test_an_unknown_reduction_is_rejected() -> None:
    with pytest.raises(MethodError, match="votes, sum, cells"):
        CrowdLayer(reduction="mean")  # type: ignore[arg-type]


def test_a_crowd_knows_who_has_votes() -> None:
    _, votes, posterior = tiny()
    assert Crowd.of(votes, posterior).has_votes.tolist() == [True] * 5 + [False, True]
    assert Crowd(3, 2).has_votes.tolist() == [True, True]
    assert Crowd(3, 2).n_votes == 1
