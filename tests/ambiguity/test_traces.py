"""What every score reads from a trace: margins by hand, and against loops that follow the formulas word by word."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.ambiguity._traces import Margin, Of, last_predictions, mean_margins
from quorate.ambiguity.aum import Aum
from quorate.ambiguity.aumc import Aumc
from quorate.ambiguity.disagreement import Disagreement
from quorate.ambiguity.forgetting import Forgetting
from quorate.ambiguity.waum import Waum
from quorate.ambiguity.worker_waum import WorkerWaum
from quorate.errors import MethodError
from quorate.typing import Array
from tests.ambiguity.worked_example import MODEL, PROBS, TRACE, VOTES, posterior_of


def slow(trace: Array, margin: Margin, top: int, of: Of) -> Array:
    n_epochs, n_rows, n_classes = trace.shape
    mean = np.full((n_rows, n_classes), np.nan)
    for row in range(n_rows):
        for label in range(n_classes):
            margins = []
            for epoch in range(n_epochs):
                pred_probs = trace[epoch, row]
                if np.isnan(pred_probs[0]):
                    continue
                scores = np.log(pred_probs) if of == "logits" else pred_probs
                if margin == "psi5":
                    rival = sorted(scores, reverse=True)[top]
                else:
                    rival = sorted(np.delete(scores, label), reverse=True)[top - 1]
                margins.append(scores[label] - rival)
            if margins:
                mean[row, label] = np.mean(margins)
    return mean


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    margin=st.sampled_from(["psi5", "psi1"]),
    of=st.sampled_from(["probs", "logits"]),
    n_classes=st.integers(2, 5),
)
def test_follows_the_formula(seed: int, margin: Margin, of: Of, n_classes: int) -> None:
    random = np.random.default_rng(seed)
    trace = random.dirichlet(np.ones(n_classes), size=(3, 4))
    trace[random.random((3, 4)) < 0.2] = np.nan
    for top in range(1, n_classes):
        margins = mean_margins(trace, margin=margin, top=top, of=of)
        assert margins == pytest.approx(slow(trace, margin, top, of), nan_ok=True)


def test_psi5_and_psi1_by_hand() -> None:
    """Of (.6, .3, .1): psi5 compares all with .3; psi1 the first with .3, the others with .6."""
    trace = np.array([[[0.6, 0.3, 0.1]]])
    assert mean_margins(trace, margin="psi5", top=1, of="probs")[0] == pytest.approx([0.3, 0.0, -0.2])
    assert mean_margins(trace, margin="psi1", top=1, of="probs")[0] == pytest.approx([0.3, -0.3, -0.5])


def test_top_two_by_hand() -> None:
    trace = np.array([[[0.6, 0.3, 0.1]]])
    assert mean_margins(trace, margin="psi5", top=2, of="probs")[0] == pytest.approx([0.5, 0.2, 0.0])
    assert mean_margins(trace, margin="psi1", top=2, of="probs")[0] == pytest.approx([0.5, 0.2, -0.2])


def test_margins_of_logits_are_differences_of_logs() -> None:
    logits = np.array([2.0, -1.0, 0.5])
    probs = np.exp(logits) / np.exp(logits).sum()
    margins = mean_margins(probs[None, None], margin="psi5", top=1, of="logits")
    assert margins[0] == pytest.approx(logits - 0.5)


def test_a_probability_that_was_rounded_to_zero_counts_as_the_least_of_its_kind() -> None:
    """Of single precision e^-87.3, of double e^-708.4: one epoch of the latter would outweigh all others."""
    trace = np.array([[[1.0, 0.0]]])
    for kind, least in ((np.float32, 87.3), (np.float64, 708.4)):
        margins = mean_margins(trace.astype(kind), margin="psi1", top=1, of="logits")
        assert margins == pytest.approx(np.array([[least, -least]]), abs=0.1)


def test_rank_beyond_the_classes_is_refused() -> None:
    with pytest.raises(MethodError, match="top must be from 1 to one less than the 2 classes, got 2"):
        mean_margins(np.full((1, 1, 2), 0.5), margin="psi5", top=2, of="probs")


def test_last_predictions_is_that_of_the_last_meeting() -> None:
    trace = np.array([[[0.6, 0.4]], [[0.7, 0.3]], [[np.nan, np.nan]]])
    assert last_predictions(trace).tolist() == [[0.7, 0.3]]


def test_unknown_margins_are_refused() -> None:
    trace = np.full((1, 1, 2), 0.5)
    with pytest.raises(MethodError, match="margin must be one of psi5, psi1, got 'psi9'"):
        mean_margins(trace, margin="psi9", top=1, of="probs")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="of must be one of probs, logits, got 'log'"):
        mean_margins(trace, margin="psi5", top=1, of="log")  # type: ignore[arg-type]


def test_nothing_is_told_of_a_task_that_was_never_met() -> None:
    """It would else be the worst of all: never right."""
    trace = TRACE.copy()
    trace[:, 0] = np.nan
    for scorer in (Aum(), Aumc(), Waum(), Forgetting(), Disagreement()):
        scores = scorer.score(VOTES, posterior_of(PROBS, MODEL), trace)
        assert np.isnan(scores).tolist() == [True, False, True], scorer  # the last task has no votes


@pytest.mark.parametrize("scorer", [Aum(), Aumc(), Waum(), WorkerWaum(), Forgetting(), Disagreement()])
def test_without_a_trace_it_says_what_to_do(scorer: Aum) -> None:
    with pytest.raises(MethodError, match=r"give trace=\.\.\., or x=\.\.\. to quorate\.identify"):
        scorer.score(VOTES, posterior_of(PROBS))
    with pytest.raises(MethodError, match="got one of shape"):
        scorer.score(VOTES, posterior_of(PROBS), TRACE[:, :1])
    for strange in (np.full(TRACE.shape, "a"), np.full(TRACE.shape, np.inf), [[1], [1, 2]]):
        with pytest.raises(MethodError, match="needs a trace of"):
            scorer.score(VOTES.subset(rows=[0, 1, 3]), posterior_of(PROBS), strange)  # type: ignore[arg-type]
