import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import certify, decide, simulate_votes, try_policies
from quorate.data.decisions import ACCEPT, Decisions, label_sources
from quorate.data.ids import numbered
from quorate.data.votes import Votes
from quorate.decision import stated_error
from quorate.decision.base import TAUGHT
from quorate.decision.belief import Belief, DeceptionModel
from quorate.decision.majority_error import majority_error
from quorate.decision.stated_error import (
    Discount,
    ModelEstimate,
    discounted_errors,
    expected_error_of,
    expected_majority_error,
    state_expected_error,
)
from quorate.typing import Array

ROOT = Path(stated_error.__file__).parents[1]
MODULES_OF_CERTIFICATES = ("api/certify.py", "cli/commands/certify.py", "service/dashboard/certificate.py")


def beliefs(confidences: list[float]) -> Array:
    return np.array([[confidence, 1 - confidence] for confidence in confidences])


def first_class(n_tasks: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.zeros(n_tasks, dtype=np.int64)


def test_worked_example() -> None:
    """Odds of 81 to one: after 16 votes divided by 1 * 16**.25 = 2 they are 9 to one; without votes they stay."""
    discount = Discount(scale=1.0, power=0.25, taught_votes=15.0, band=3.0)
    probs = beliefs([81 / 82, 81 / 82])
    errors = discounted_errors(probs, first_class(2), [16, 0], taught=False, discount=discount)
    np.testing.assert_allclose(errors, [1 / 10, 1 / 82])
    taught = discounted_errors(probs, first_class(2), [1, 0], taught=True, discount=discount)  # 16 and 15 votes
    np.testing.assert_allclose(taught, [1 / 10, 1 / (1 + 81 ** (15**-0.25))])
    estimate = state_expected_error([0.1, 0.02], discount=discount)
    np.testing.assert_allclose((estimate.value, estimate.low, estimate.high), (0.06, 0.02, 0.18))


def test_in_words() -> None:
    assert state_expected_error([0.04]).words == "about 4.0% (model estimate, 80% band 2.0% to 8.0%)"
    assert state_expected_error([0.0004]).words == "about 0.04% (model estimate, 80% band 0.02% to 0.08%)"
    assert state_expected_error([0.0, 0.0, 0.5]).words == (
        "unknown: the policy has no probabilities, so audit a random sample"
    )
    assert state_expected_error([]).words == "unknown: no label is accepted yet"


@given(st.lists(st.floats(0.5, 0.999), min_size=1, max_size=8), st.integers(0, 40), st.booleans(), st.data())
def test_less_confident_beliefs_state_a_larger_error(
    confidences: list[float], n_votes: int, taught: bool, data: st.DataObject
) -> None:
    lower = [data.draw(st.floats(0.5, confidence)) for confidence in confidences]
    n = len(confidences)

    def stated(values: list[float], votes: int) -> ModelEstimate:
        return state_expected_error(discounted_errors(beliefs(values), first_class(n), [votes] * n, taught=taught))

    estimate, of_lower, with_more = stated(confidences, n_votes), stated(lower, n_votes), stated(confidences, 41)
    assert of_lower.value >= estimate.value - 1e-12
    assert with_more.value >= estimate.value - 1e-12  # the same confidence from more votes is believed less
    assert estimate.value >= 1 - np.mean(confidences) - 1e-12  # nor is a belief ever taken for too timid
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


@given(st.lists(st.tuples(st.floats(0.001, 0.999), st.integers(0, 20)), min_size=2, max_size=12), st.data())
def test_parts_of_a_pool_state_what_the_whole_does(tasks: list[tuple[float, int]], data: st.DataObject) -> None:
    probs, n_votes = beliefs([confidence for confidence, _ in tasks]), np.array([n for _, n in tasks])
    cut = data.draw(st.integers(1, len(tasks) - 1))
    whole = discounted_errors(probs, first_class(len(tasks)), n_votes, taught=True)
    parts = [
        discounted_errors(probs[part], first_class(len(probs[part])), n_votes[part], taught=True)
        for part in (slice(0, cut), slice(cut, None))
    ]
    np.testing.assert_allclose(np.concatenate(parts), whole)
    stated = [state_expected_error(part) for part in parts]
    assert sum(one.value * one.n_labels for one in stated) == pytest.approx(
        state_expected_error(whole).value * len(tasks)
    )


def test_certain_beliefs_stay_certain() -> None:
    assert discounted_errors(np.eye(3), np.array([0, 1, 0]), [9, 9, 9], taught=True).tolist() == [0, 0, 1]


def test_a_policy_that_counts_votes_states_nothing() -> None:
    crowd = simulate_votes(n_tasks=50, votes_per_task=3, seed=0)
    decisions = decide(crowd.votes, policy="fixed_votes")
    assert not decisions.model_error.known
    assert decisions.summary().error.startswith("unknown: the policy has no probabilities")
    tried = try_policies(crowd.votes, crowd.gold, ["fixed_votes", "expected_loss"], seeds=1)
    assert np.isnan(tried["fixed_votes"]["stated_error"])
    assert 0 < tried["expected_loss"]["stated_error"] < 1


def test_only_labels_that_were_accepted_from_the_model_count() -> None:
    decisions = Decisions(
        tasks=numbered(4),
        classes=numbered(2),
        kinds=("crowd",),
        action=np.array([ACCEPT, ACCEPT, 1, ACCEPT], dtype=np.int8),
        label=first_class(4),
        ask=np.full(4, -1, dtype=np.int8),
        expected_cost=np.zeros(4),
        value=np.zeros(4),
        probs=beliefs([0.9, 0.7, 0.5, 1.0]),
        source=label_sources(np.array([False, False, False, True])),
        reason=np.zeros(4, dtype=np.int8),
        reasons=("",),
    )
    votes = Votes.from_matrix([[-1, -1], [-1, -1], [0, 1], [0, 0]])
    estimate = expected_error_of(decisions, votes, {})
    assert estimate.n_labels == 2
    assert estimate.value == pytest.approx(0.2)
    taught = expected_error_of(decisions, votes, {TAUGHT: decisions.probs})
    assert taught.value > estimate.value
    assert expected_error_of(replace(decisions, action=np.ones(4, dtype=np.int8)), votes, {}).n_labels == 0


@given(st.floats(0.55, 0.95), st.integers(1, 7), st.floats(0, 0.3))
def test_majority_is_discounted_like_labels(accuracy: float, n_votes: int, deceptive: float) -> None:
    """With one level and class, both are the discount of the same probability; deceptive tasks are wrong anyway."""
    answers = np.array([[accuracy, 1 - accuracy], [1 - accuracy, accuracy]])
    plain = Belief.plain(np.array([[0.5, 0.5]]), answers)
    raw = majority_error(plain, n_votes)
    (wrong,) = discounted_errors(beliefs([1 - raw]), first_class(1), [n_votes], taught=False)
    assert expected_majority_error(plain, n_votes) == pytest.approx(wrong)
    model = DeceptionModel(np.array([[0.5, 0.5]]), deceptive, np.array([[0.0, 1.0], [1.0, 0.0]]))
    stated = expected_majority_error(replace(plain, deception=model), n_votes)
    assert stated == pytest.approx(deceptive + (1 - deceptive) * wrong)


def imports_of(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module is not None}


def test_modules_of_certificates_do_not_import_it() -> None:
    files = [*(ROOT / "audit").rglob("*.py"), *(ROOT / name for name in MODULES_OF_CERTIFICATES)]
    assert len(files) > len(MODULES_OF_CERTIFICATES)
    assert not [file for file in files if stated_error.__name__ in imports_of(file)]


def test_a_certificate_does_not_depend_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = simulate_votes(n_tasks=300, votes_per_task=5, seed=0)
    audit = np.where(np.arange(300) % 3 == 0, crowd.gold, -1)
    before = decide(crowd.votes, cost_error=5)
    certificate = certify(before, audit, target=0.1)
    monkeypatch.setattr(stated_error, "discounted_errors", lambda *_, **__: np.full(300, 0.9))
    after = decide(crowd.votes, cost_error=5)
    assert after.model_error.value == pytest.approx(0.9)
    assert before.model_error.value < 0.5
    assert repr(certify(after, audit, target=0.1)) == repr(certificate)  # NaN is not equal to itself
