from functools import cache
from math import log

import numpy as np
import pytest

from quorate.decision.screening.sequential_test import LEADS, MAX_VOTES, Runs

WAYS = [(down, up) for down in LEADS for up in LEADS]


def test_the_first_way_asks_nobody_and_takes_yes_for_granted() -> None:
    runs = Runs.of(np.array([[[0.7, 0.3], [0.2, 0.8]]]))
    parts = runs.passed_wrongly, runs.failed_wrongly, runs.votes_if_yes, runs.votes_if_no
    assert [float(part[0, 0]) for part in parts] == [1, 0, 0, 0]
    assert {part.shape for part in parts} == {(1, 1 + len(WAYS))}


@pytest.mark.parametrize("lead", [1, 2, 3])
def test_voters_who_err_both_ways_alike_are_a_gamblers_ruin(lead: int) -> None:
    # Right .8 of the time: ruin with odds of 4 per step; the length is lead / (.8 - .2) x (chance to win - to lose).
    runs, way = Runs.of(np.array([[[0.8, 0.2], [0.2, 0.8]]])), 1 + WAYS.index((lead, lead))
    ruin = 1 / (1 + 4**lead)
    assert runs.failed_wrongly[0, way] == pytest.approx(ruin, rel=1e-3)
    assert runs.passed_wrongly[0, way] == pytest.approx(ruin, rel=1e-3)
    assert runs.votes_if_yes[0, way] == pytest.approx(lead / 0.6 * (1 - 2 * ruin), rel=1e-3)


@pytest.mark.parametrize("way", [(1, 3), (3, 2), (5, 8)])
def test_uneven_voters_against_a_slow_recursion(way: tuple[int, int]) -> None:
    answers = np.array([[0.85, 0.15], [0.4, 0.6]])
    by_no, by_yes = log(0.4 / 0.85), log(0.6 / 0.15)

    @cache
    def follow(truth: int, n_no: int, n_yes: int) -> tuple[float, float]:
        """Return the probability that it passes from here, and the expected number of votes still to come."""
        leaning = n_no * by_no + n_yes * by_yes
        if leaning >= way[1] * by_yes - 1e-9:
            return 1.0, 0.0
        if leaning <= way[0] * by_no + 1e-9:
            return 0.0, 0.0
        if n_no + n_yes == MAX_VOTES:
            return float(leaning > 0), 0.0
        after_no, after_yes = follow(truth, n_no + 1, n_yes), follow(truth, n_no, n_yes + 1)
        says_no, says_yes = answers[truth]
        return says_no * after_no[0] + says_yes * after_yes[0], 1 + says_no * after_no[1] + says_yes * after_yes[1]

    runs, column = Runs.of(answers[None]), 1 + WAYS.index(way)
    assert runs.passed_wrongly[0, column] == pytest.approx(follow(0, 0, 0)[0])
    assert runs.failed_wrongly[0, column] == pytest.approx(1 - follow(1, 0, 0)[0])
    assert runs.votes_if_no[0, column] == pytest.approx(follow(0, 0, 0)[1])
    assert runs.votes_if_yes[0, column] == pytest.approx(follow(1, 0, 0)[1])


def test_voters_who_are_mostly_wrong_are_as_good_as_mostly_right() -> None:
    right, wrong = (Runs.of(np.array([[[q, 1 - q], [1 - q, q]]])) for q in (0.8, 0.2))
    assert np.allclose(right.passed_wrongly, wrong.passed_wrongly)
    assert np.allclose(right.votes_if_yes, wrong.votes_if_yes)
