import numpy as np
import pytest

from quorate.data.votes import Votes
from quorate.inference.crowd_model import agreement_accuracy, fit_crowd, raise_diagonal, symmetric
from quorate.inference.kernels.vote_sums import answer_counts


def test_a_task_is_left_out_of_the_matrix_it_is_judged_by() -> None:
    # The log-likelihood of a vote is that of a matrix fitted to the other tasks.
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 1]])
    probs = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.1, 0.9]])
    crowd = fit_crowd(votes, probs)
    taken = crowd.leave_out_correction(votes, probs)
    row = 0  # worker 0 says class 0 of task 0
    others = np.flatnonzero((votes.worker == votes.worker[row]) & (votes.task != votes.task[row]))
    for true in range(2):
        said_so = probs[votes.task[others], true] @ (votes.label[others] == votes.label[row])
        pseudo = crowd.own * crowd.pool[true, votes.label[row]]
        without = (said_so + pseudo) / (probs[votes.task[others], true].sum() + crowd.own)
        all_votes = answer_counts(votes, probs)[votes.worker[row], true]
        with_it = (all_votes[votes.label[row]] + pseudo) / (all_votes.sum() + crowd.own)
        assert taken[row, true] == pytest.approx(np.log(without / with_it))


def test_voters_who_agree_are_taken_to_be_right() -> None:
    agree, differ = Votes.from_counts([[9, 1]] * 200), Votes.from_counts([[5, 5]] * 200)
    assert agreement_accuracy(agree) > 0.85 > 0.62 > agreement_accuracy(differ)


def test_matrices_by_hand() -> None:
    assert symmetric(0.7, 4)[0].tolist() == pytest.approx([0.7, 0.1, 0.1, 0.1])
    assert raise_diagonal(np.array([[0.3, 0.7], [0.2, 0.8]]))[0].argmax() == 0
