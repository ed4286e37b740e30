"""Audits by experts: error rates with bounds, certificates, drift, and how many audits to buy.

Everything here reads decisions and expert labels of randomly drawn items. How tasks are decided is in
`quorate.decision`, and how good predicted probabilities are in `quorate.metrics`. The function `quorate.certify` is in
`quorate.api`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.audit.bounds.anytime import most_wrong_anytime
    from quorate.audit.bounds.exact import least_wrong, most_wrong
    from quorate.audit.certificate import Certificate, certify
    from quorate.audit.cross_auditing import cross_audit
    from quorate.audit.drift import Drift
    from quorate.audit.error_cost import state_cost
    from quorate.audit.error_rate import Stated, state_error, state_error_of
    from quorate.audit.false_negatives import Missed, bound_missed
    from quorate.audit.fixed_sequence import audits_to_certify
    from quorate.audit.monitor import Watch
    from quorate.audit.sample_size import AuditPlan, audits_needed, plan_audit
    from quorate.audit.value_of_audit import (
        AuditChoice,
        believed_loss,
        choose_audit,
        choose_first,
        labels_to_buy,
        likely_loss,
    )

_EXPORTS: Exports = {
    "AuditChoice": ("quorate.audit.value_of_audit", "AuditChoice"),
    "AuditPlan": ("quorate.audit.sample_size", "AuditPlan"),
    "Certificate": ("quorate.audit.certificate", "Certificate"),
    "Drift": ("quorate.audit.drift", "Drift"),
    "Missed": ("quorate.audit.false_negatives", "Missed"),
    "Stated": ("quorate.audit.error_rate", "Stated"),
    "Watch": ("quorate.audit.monitor", "Watch"),
    "audits_needed": ("quorate.audit.sample_size", "audits_needed"),
    "audits_to_certify": ("quorate.audit.fixed_sequence", "audits_to_certify"),
    "believed_loss": ("quorate.audit.value_of_audit", "believed_loss"),
    "bound_missed": ("quorate.audit.false_negatives", "bound_missed"),
    "certify": ("quorate.audit.certificate", "certify"),
    "choose_audit": ("quorate.audit.value_of_audit", "choose_audit"),
    "choose_first": ("quorate.audit.value_of_audit", "choose_first"),
    "cross_audit": ("quorate.audit.cross_auditing", "cross_audit"),
    "labels_to_buy": ("quorate.audit.value_of_audit", "labels_to_buy"),
    "least_wrong": ("quorate.audit.bounds.exact", "least_wrong"),
    "likely_loss": ("quorate.audit.value_of_audit", "likely_loss"),
    "most_wrong": ("quorate.audit.bounds.exact", "most_wrong"),
    "most_wrong_anytime": ("quorate.audit.bounds.anytime", "most_wrong_anytime"),
    "plan_audit": ("quorate.audit.sample_size", "plan_audit"),
    "state_cost": ("quorate.audit.error_cost", "state_cost"),
    "state_error": ("quorate.audit.error_rate", "state_error"),
    "state_error_of": ("quorate.audit.error_rate", "state_error_of"),
}

__all__ = [
    "AuditChoice",
    "AuditPlan",
    "Certificate",
    "Drift",
    "Missed",
    "Stated",
    "Watch",
    "audits_needed",
    "audits_to_certify",
    "believed_loss",
    "bound_missed",
    "certify",
    "choose_audit",
    "choose_first",
    "cross_audit",
    "labels_to_buy",
    "least_wrong",
    "likely_loss",
    "most_wrong",
    "most_wrong_anytime",
    "plan_audit",
    "state_cost",
    "state_error",
    "state_error_of",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
