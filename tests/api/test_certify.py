from pathlib import Path

import numpy as np
import polars as pl
import pytest

from quorate import certify, decide, simulate_votes
from quorate.api.certify import audit_of, by_itself
from quorate.audit.certificate import certify as certify_labels
from quorate.data.decisions import ACCEPT
from quorate.errors import FileError, MethodError, VotesError

CROWD = simulate_votes(n_tasks=1000, votes_per_task=9, seed=3)
AUDIT = np.where(np.random.default_rng(0).random(1000) < 0.3, CROWD.gold, -1)
DECISIONS = decide(CROWD.votes, cost_error=5)


def test_as_by_arrays() -> None:
    certificate = certify(DECISIONS, AUDIT, target=0.05)
    labels = np.where(DECISIONS.action == ACCEPT, DECISIONS.label, -1)
    by_hand = certify_labels(labels, DECISIONS.probs.max(axis=1), AUDIT, target=0.05)
    assert certificate == by_hand
    assert certificate.holds
    sure = (DECISIONS.probs.max(axis=1) >= certificate.threshold) & (labels >= 0)
    assert sure.sum() == certificate.n_certified
    assert np.mean(labels[sure] != CROWD.gold[sure]) < 0.05
    assert certify(DECISIONS, AUDIT, target=0.05, watched=True).n_certified <= certificate.n_certified


def test_what_experts_said_certifies_nothing() -> None:
    knew = decide(CROWD.votes, gold=AUDIT, cost_error=5)
    assert (by_itself(knew)[AUDIT >= 0] == -1).all()
    assert certify(knew, AUDIT, target=0.05).n_audited == 0
    assert not certify(knew, AUDIT, target=0.05).holds


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(VotesError, match=r"the audit has shape \(3,\), but there are 1000 decisions"):
        certify(DECISIONS, [0, 1, -1])
    with pytest.raises(MethodError, match="target"):
        certify(DECISIONS, AUDIT, target=2)


def test_as_by_a_frame_or_a_file(tmp_path: Path) -> None:
    """Check that written decisions, which have names, are matched with an audit that has names, too."""
    names = CROWD.votes.classes[CROWD.gold]
    rows = np.flatnonzero(AUDIT >= 0)
    audit = pl.DataFrame({"task": CROWD.votes.tasks[rows].tolist(), "label": names[rows].tolist()})
    frame = DECISIONS.to_frame()
    frame.write_csv(tmp_path / "decisions.csv")
    audit.write_csv(tmp_path / "audit.csv")
    expected = certify(DECISIONS, AUDIT, target=0.05)
    assert certify(frame, audit, target=0.05) == expected
    assert certify(tmp_path / "decisions.csv", tmp_path / "audit.csv", target=0.05) == expected
    with pytest.raises(FileError, match=r"none\.csv: there is no such file"):
        certify(tmp_path / "none.csv", audit)


def test_decisions_with_an_audit_that_has_names() -> None:
    rows = np.flatnonzero(AUDIT >= 0)
    audit = pl.DataFrame({"task": CROWD.votes.tasks[rows].tolist(), "label": CROWD.votes.classes[AUDIT[rows]].tolist()})
    assert certify(DECISIONS, audit, target=0.05) == certify(DECISIONS, AUDIT, target=0.05)


def test_confidence_was_called_delta() -> None:
    expected = certify(DECISIONS, AUDIT, target=0.05, confidence=0.8)
    assert expected.delta == 0.2
    with pytest.warns(FutureWarning, match="'delta' is called 'confidence' since version 0.2"):
        assert certify(DECISIONS, AUDIT, target=0.05, delta=0.2) == expected
    with pytest.raises(MethodError, match="confidence must be"):
        certify(DECISIONS, AUDIT, confidence=1.5)
    with pytest.raises(TypeError, match="got both 'delta' and 'confidence', its name now: give 'confidence' only"):
        certify(DECISIONS, AUDIT, confidence=0.99, delta=0.1)


def test_the_error_and_the_missed_of_every_class() -> None:
    audit = audit_of(DECISIONS, AUDIT)
    error = audit.error(confidence=0.9)
    labels = by_itself(DECISIONS)
    wrong = (labels >= 0) & (AUDIT >= 0) & (labels != AUDIT)
    assert error.n_audited == ((labels >= 0) & (AUDIT >= 0)).sum()
    assert error.value == wrong.sum() / error.n_audited
    assert [missed.delta for missed in audit.missed(confidence=0.9)] == [0.1, 0.1]
    assert sum(audit.n_audited(index) for index in range(2)) == error.n_audited


def test_a_certificate_is_shown_in_its_words() -> None:
    certificate = certify(DECISIONS, AUDIT, target=0.05)
    assert repr(certificate) == f"Certificate({certificate.words})"


@pytest.mark.parametrize(
    ("no", "yes", "message"),
    [
        ("no", "YES", "the audit's label 'YES' and the decisions' label 'yes' differ only in case or spaces: use one"),
        ("n o", "yes", "the audit's label 'n o' and the decisions' label 'no' differ only in case or spaces"),
        ("0", "1", r"none of the audit's labels \(such as .*\) occurs in the decisions \(.*\): use the same classes"),
    ],
)
def test_an_audit_with_other_labels_is_refused(no: str, yes: str, message: str) -> None:
    rows = np.flatnonzero(AUDIT >= 0)
    labels = [(no, yes)[index] for index in AUDIT[rows]]
    audit = pl.DataFrame({"task": CROWD.votes.tasks[rows].tolist(), "label": labels})
    with pytest.raises(VotesError, match=message):
        certify(DECISIONS.to_frame(), audit)
    with pytest.raises(VotesError, match=r"gold label .* is not one of 'no', 'yes'"):
        certify(DECISIONS, audit)


def test_an_audit_may_have_a_class_that_no_written_decision_has() -> None:
    frame = DECISIONS.to_frame().filter(pl.col("label") == "no")
    audit = pl.DataFrame({"task": CROWD.votes.tasks.tolist(), "label": CROWD.votes.classes[CROWD.gold].tolist()})
    assert audit_of(frame, audit).classes.tolist() == ["no", "yes"]


def test_an_index_beyond_the_classes_is_refused() -> None:
    with pytest.raises(VotesError, match="the audit has the class index 2, but there are 2 classes"):
        certify(DECISIONS, np.where(AUDIT == 1, 2, AUDIT))
