"""A certificate as `quorate certify` shows it."""

from typing import Any

import numpy as np

from quorate.api.certify import Audit
from quorate.audit.certificate import Certificate
from quorate.audit.error_rate import Stated
from quorate.cli import console

MAX_ROWS = 16


def show_certificate(certificate: Certificate, error: Stated, audit: Audit, *, confidence: float) -> None:
    """Print the error of all accepted labels, the certificate, and the errors of each class."""
    console.line(f"All accepted: {error.words}.")
    console.line(f"Certificate: {certificate.words}.")
    _show_missed(audit, confidence)
    if certificate.watched:
        console.line("The certificate may be looked at after every audit; the other figures, once.")


def figures_of(certificate: Certificate, error: Stated) -> dict[str, Any]:
    """Return the figures of a certificate by name, for programs."""
    return {
        "target": certificate.target,
        "delta": certificate.delta,
        "certified": certificate.n_certified,
        "threshold": certificate.threshold,
        "accepted": certificate.n_accepted,
        "audited": error.n_audited,
        "error": error.value,
        "error_low": error.low,
        "error_high": error.high,
    }


def _show_missed(audit: Audit, confidence: float) -> None:
    """Print how often the tasks of each class were accepted as another one."""
    missed = audit.missed(confidence=confidence)
    order = sorted(range(len(missed)), key=lambda index: -missed[index].bound)[:MAX_ROWS]
    values = [missed[index].value for index in order]
    columns = {
        "class": [console.short(audit.classes[index]) for index in order],
        "audited": [f"{audit.n_audited(index):,}" for index in order],
        "missed": ["·" if np.isnan(value) else f"{value:.1%}" for value in values],
        "at most": [f"{missed[index].bound:.1%}" for index in order],
    }
    title = f"Accepted as another class (each bound at {confidence:.0%} confidence)"
    console.table(title, columns, right=["audited", "missed", "at most"])
