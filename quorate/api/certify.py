"""The function `certify`: a bound on the error of accepted labels, from an audit."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.typing import IntoDataFrame
from numpy.typing import NDArray

from quorate.api.inputs import File, GoldFile, GoldLike
from quorate.audit.certificate import Certificate
from quorate.audit.certificate import certify as certify_labels
from quorate.audit.error_rate import Stated, state_error_of
from quorate.audit.false_negatives import Missed, bound_missed
from quorate.data.columns import numbers, refuse_missing, require_columns, union
from quorate.data.decisions import ACCEPT, ACTIONS, NOBODY, Decisions, Source
from quorate.data.factorize import encode
from quorate.data.frames import as_frame, read_gold_labels
from quorate.data.ids import Names, lookup, shown, sort_classes
from quorate.data.option_checks import require_number
from quorate.errors import VotesError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table
from quorate.registry.deprecation import warn_renamed
from quorate.typing import Array, Gold

COLUMNS = ("task", "action", "label", "confidence")  # of decisions, in every version
CONFIDENCE = 0.9  # of a certificate, where none is given


@dataclass(frozen=True, eq=False, kw_only=True)
class Audit:
    """Accepted labels, and the labels that experts gave on some of the tasks.

    Attributes:
        classes: all classes, of the decisions and of the audit.
        labels: labels that the model chose and that were accepted, class index per task, -1 = none.
        confidence: the probability of each label.
        expert: labels of the audit, class index per task, -1 = none.
    """

    classes: Names
    labels: Gold
    confidence: Array
    expert: Gold

    def certificate(
        self, *, target: float = 0.01, confidence: float = CONFIDENCE, watched: bool = False
    ) -> Certificate:
        """Return the largest set of labels, from the most confident on, whose error is at most the target."""
        delta = _delta_of(confidence)
        return certify_labels(self.labels, self.confidence, self.expert, target=target, delta=delta, watched=watched)

    def error(self, *, confidence: float = CONFIDENCE) -> Stated:
        """Return the error rate of all accepted labels, with its interval."""
        return state_error_of(self.labels, self.expert, level=confidence)

    def missed(self, *, confidence: float = CONFIDENCE) -> list[Missed]:
        """Return the share of every class that was accepted as another class, with an upper bound."""
        delta = _delta_of(confidence)
        return [bound_missed(self.labels, self.expert, index, delta=delta) for index in range(len(self.classes))]

    def n_audited(self, index: int) -> int:
        """Return how many accepted labels were audited whose task has this class by the expert."""
        return int(((self.expert == index) & (self.labels >= 0)).sum())


def certify(
    decisions: Decisions | IntoDataFrame | File,
    audit: GoldLike,
    *,
    target: float = 0.01,
    confidence: float | None = None,
    watched: bool = False,
    delta: float | None = None,
) -> Certificate:
    """Return the largest set of accepted labels, from the most confident on, with a certified error of the target.

    Args:
        decisions: decisions, or the frame or file that was written of them. They must have been made without the labels
            of the audit: labels that come from an expert are left out.
        audit: expert labels on tasks drawn at random: class index per task, -1 = none; or a frame or file with columns
            task and label.
        target: the error rate to certify.
        confidence: the certificate is right in at least this share of audits; 0.9 where none is given.
        watched: whether it may be asked for again after every new audit label; otherwise only once.
        delta: deprecated, 1 - confidence.

    >>> from quorate import decide, simulate_votes
    >>> crowd = simulate_votes(n_tasks=2000, votes_per_task=9, seed=0)
    >>> audit = np.where(np.random.default_rng(0).random(2000) < 0.2, crowd.gold, -1)
    >>> certificate = certify(decide(crowd.votes, cost_error=5), audit, target=0.05)
    >>> certificate.holds, certificate.bound
    (True, 0.05)
    """
    if delta is not None:
        if confidence is not None:
            raise TypeError("certify() got both 'delta' and 'confidence', its name now: give 'confidence' only")
        warn_renamed("certify(): the parameter 'delta'", "confidence", since="0.2", stacklevel=3)
        require_number("delta", delta, above=0, below=1)
        confidence = 1 - delta
    confidence = CONFIDENCE if confidence is None else confidence
    return audit_of(decisions, audit).certificate(target=target, confidence=confidence, watched=watched)


def audit_of(decisions: Decisions | IntoDataFrame | File, audit: GoldLike) -> Audit:
    """Match decisions with an audit of them, and return both."""
    if isinstance(decisions, Decisions):
        return _audit_of_decisions(decisions, audit)
    if isinstance(decisions, str | PathLike):
        path = Path(decisions)
        with reading(path):
            accepted = _accepted(as_frame(read_table(path)))
    else:
        accepted = _accepted(as_frame(decisions))
    expert, classes = _match(audit, accepted.tasks, accepted.names, complete=False)
    if not ((expert >= 0) & ~accepted.by_expert).any():
        raise VotesError(
            "all audited tasks were accepted because an expert said so: certify what was decided without this audit"
        )
    labels = np.append(lookup(accepted.names, classes), NOBODY)[accepted.label].astype(np.int64)
    return Audit(classes=classes, labels=labels, confidence=accepted.confidence, expert=expert)


def _delta_of(confidence: float) -> float:
    """Return 1 - confidence without the error of rounding: 0.1 for 0.9."""
    require_number("confidence", confidence, above=0, below=1)
    return round(1 - confidence, 12)


def by_itself(decisions: Decisions) -> Gold:
    """Return the labels that were accepted from the model, -1 = none: not those that an expert gave."""
    own = (decisions.action == ACCEPT) & (decisions.source == Source.MODEL)
    return np.where(own, decisions.label, NOBODY)


def _audit_of_decisions(decisions: Decisions, audit: GoldLike) -> Audit:
    labels = by_itself(decisions)
    if isinstance(audit, GoldFile | str | PathLike) or nw.dependencies.is_into_dataframe(audit):
        expert, _ = _match(audit, decisions.tasks, decisions.classes, complete=True)
    else:
        expert = np.asarray(audit)
        if expert.shape != labels.shape:
            raise VotesError(f"the audit has shape {expert.shape}, but there are {len(labels)} decisions")
        if expert.size and expert.max() >= len(decisions.classes):
            raise VotesError(
                f"the audit has the class index {expert.max()}, but there are {len(decisions.classes)} classes: "
                "give indices from 0, and -1 where a task was not audited"
            )
    confidence = decisions.probs[np.arange(len(expert)), decisions.label]
    return Audit(classes=decisions.classes, labels=labels, confidence=confidence, expert=expert)


@dataclass(frozen=True, eq=False)
class _Accepted:
    """Accepted labels from a table. label: index into names, -1 where a label was not accepted or is an expert's."""

    tasks: Names
    names: Names
    label: Gold
    confidence: Array
    by_expert: NDArray[np.bool_]


def _accepted(table: nw.DataFrame[Any]) -> _Accepted:
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise VotesError(f"there is no column {missing[0]!r}: give what `quorate decide --out` wrote")
    _require_source(table.columns)
    index, tasks = encode(table["task"], "task")
    refuse_missing(index, np.ones(len(index), dtype=bool), "task")
    if len(tasks) < len(index):
        raise VotesError("some tasks come twice: give what decide wrote")
    action, source = _words(table, "action", ACTIONS), _words(table, "source", tuple(Source))
    label, names = encode(table["label"], "label")
    by_expert = (action == ACTIONS[ACCEPT]) & (source == Source.EXPERT)
    own = (action == ACTIONS[ACCEPT]) & ~by_expert
    if not own.any():
        raise VotesError("no label was accepted but those of experts: there is nothing to certify")
    accepted = np.where(own, label, NOBODY).astype(np.int64)
    return _Accepted(tasks, names, accepted, numbers(table["confidence"]), by_expert)


def _require_source(columns: list[str]) -> None:
    """Refuse files of versions before the column `source`: they do not state reliably which labels are experts'."""
    if "source" not in columns:
        raise VotesError(
            "there is no column 'source', which says whether a label comes from the model or from an expert: "
            "an older version wrote this file, so run `quorate decide --out` again"
        )


def _words(table: nw.DataFrame[Any], name: str, allowed: tuple[str, ...]) -> NDArray[np.str_]:
    """Return a column of text, all of it among the allowed words."""
    words = np.array([str(cell) for cell in table[name].to_list()])
    if (odd := ~np.isin(words, allowed)).any():
        raise VotesError(
            f"{name} must be one of {', '.join(allowed)}, got {str(words[odd][0])!r}: give what decide wrote"
        )
    return words


def _match(audit: GoldLike, tasks: Names, names: Names, *, complete: bool) -> tuple[Gold, Names]:
    """Return the audit's label of every task, -1 = none, and all classes.

    complete: whether `names` are all classes. Written decisions name only those that some task was decided to have.
    """
    if isinstance(audit, str | PathLike):
        audit = GoldFile(path=Path(audit))
    if isinstance(audit, GoldFile):
        with reading(audit.path):
            table = as_frame(read_table(audit.path))
            return _match_frame(table, tasks, names, task=audit.task, label=audit.label, complete=complete)
    return _match_frame(as_frame(audit), tasks, names, complete=complete)


def _match_frame(
    table: nw.DataFrame[Any], tasks: Names, names: Names, *, task: str = "task", label: str = "label", complete: bool
) -> tuple[Gold, Names]:
    classes = names
    if not complete:
        require_columns(table.columns, {"label": label})
        labels = encode(table[label], "label")[1]
        _refuse_misspelt(labels, names)
        classes = sort_classes(union(names, labels)[0])
    expert = read_gold_labels(table, task=task, label=label, tasks=tasks, classes=classes)
    if not (expert >= 0).any():
        raise VotesError(f"it has no label for any of the tasks (such as {shown(tasks[0])}): use the same ids")
    return expert, classes


def _refuse_misspelt(labels: Names, names: Names) -> None:
    """Refuse labels that differ from names only in case or spaces, and labels none of which is among the names."""
    missing = lookup(labels, names) < 0
    spelling = {_fold(name): name for name in names.tolist()}
    for label in labels[missing].tolist():
        if (name := spelling.get(_fold(label))) is not None:
            raise VotesError(
                f"the audit's label {shown(label)} and the decisions' label {shown(name)} differ only in case or "
                "spaces: use one spelling"
            )
    if len(labels) and missing.all():
        choice = ", ".join(map(shown, names[:10].tolist())) + (", ..." if len(names) > 10 else "")
        raise VotesError(
            f"none of the audit's labels (such as {shown(labels[0])}) occurs in the decisions ({choice}): "
            "use the same classes"
        )


def _fold(name: Any) -> str:
    return "".join(str(name).casefold().split())
