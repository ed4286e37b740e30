import numpy as np

from quorate.audit.fixed_sequence import Ladder, audits_to_certify


def test_how_many_audits_at_least() -> None:
    # .98^113 = .102, .98^114 = .0999.
    assert audits_to_certify(0.02) == 114
    assert audits_to_certify(0.5, 0.1, n_wrong=0) == 4  # 1/16


def test_it_stops_at_the_first_set_that_fails() -> None:
    # All 200 are audited, so all errors are known: the most confident 50 are right, the next 15 wrong, the rest right.
    wrong = np.array([False] * 50 + [True] * 15 + [False] * 135)
    ladder = Ladder.of(np.linspace(1, 0.5, 200), np.ones(200, dtype=bool), wrong)
    assert audits_to_certify(0.1, n_wrong=2) == 52
    assert ladder.first(0.1, 0.1, watched=False) == 52
    assert [ladder.passes(rung, 0.1, 0.1, watched=False) for rung in (51, 59, 199)] == [True, False, True]
    assert ladder.climb(0.1, 0.1, watched=False, steps=20) == 51  # 2 of 52; the next set has 10 of 60
    assert ladder.climb(0.1, 0.1, watched=True, steps=20) == -1  # begins with 100, of which 15 are wrong
    assert ladder.climb(0.01, 0.1, watched=False, steps=20) == -1


def test_one_confidence_stands_or_falls_together() -> None:
    ladder = Ladder.of(np.array([0.9, 0.9, 0.9, 0.5, 0.5]), np.ones(5, dtype=bool), np.zeros(5, dtype=bool))
    assert ladder.rungs(1, 10) == [2, 4]


def test_the_start_does_not_depend_on_what_was_found() -> None:
    rng = np.random.default_rng(0)
    sure, audited = rng.random(500), rng.random(500) < 0.5
    starts = {
        Ladder.of(sure, audited, rng.random(500) < share).first(0.05, 0.1, watched=watched)
        for share in (0, 0.5, 1)
        for watched in (False, True)
    }
    assert len(starts) == 2  # one for each way to look
