"""The largest set of accepted answers whose error is certified, from an audit by experts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.audit.error_rate import aligned
from quorate.audit.fixed_sequence import Ladder, audits_to_certify
from quorate.data.option_checks import require_number
from quorate.errors import MethodError


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """Answers whose error is at most `bound`; that is false in at most a share `delta` of all audits.

    bound: the target where it is certified, NaN where nothing is. threshold: what was accepted with at least this
    confidence is certified; infinite where nothing is. n_certified: how many answers these are, of n_accepted.
    n_audited, n_wrong: the audits among them, or among all accepted where nothing is certified. watched: whether it may
    be looked at after every audit. words: the same for people to read.
    """

    target: float
    delta: float
    bound: float
    threshold: float
    n_certified: int
    n_accepted: int
    n_audited: int
    n_wrong: int
    watched: bool

    @property
    def holds(self) -> bool:
        """Whether anything is certified."""
        return self.n_certified > 0

    @property
    def words(self) -> str:
        """The certificate for people to read."""
        audits = f"{self.n_audited:,} audits, {self.n_wrong:,} wrong"
        if self.holds:
            return (
                f"at most {100 * self.target:g} % are wrong of {self.n_certified:,} answers, those with a confidence "
                f"of {self.threshold:.3g} or more ({100 * (1 - self.delta):g} % sure; {audits})"
            )
        needed = audits_to_certify(self.target, self.delta)
        return (
            f"an error of at most {100 * self.target:g} % is not certified for any of {self.n_accepted:,} answers "
            f"({audits}); it takes {needed:,} audits or more, all right"
        )


def certify(
    labels: ArrayLike,
    confidence: ArrayLike,
    expert: ArrayLike,
    *,
    target: float,
    delta: float = 0.1,
    watched: bool = False,
    steps: int = 20,
) -> Certificate:
    """Find the lowest confidence down to which accepted answers are certified to have an error of the target at most.

    labels: (n,) class indices, -1 = not accepted. confidence: (n,) of each label. expert: (n,) what the expert said of
    the audited, -1 = not audited. The audited must be a random draw of all accepted, whatever their confidence.

    Sets of answers, from the surest on, are tested one after another, each at the whole delta, until one fails
    (fixed-sequence testing). Looked at once, each test is exact (Clopper and Pearson's for a finite pool), and the
    sequence begins where the audit is large enough to pass. Watched, it may be repeated after every audit: each test
    is then the anytime one, and the sequence begins with the surest half. steps: how many sets.

    Paper: Angelopoulos, Bates, Candès, Jordan and Lei, "Learn then test", 2021. For the tests see `bounds`.

    >>> rng = np.random.default_rng(0)
    >>> confidence = rng.uniform(0.5, 1, 5000)
    >>> truth = np.where(rng.random(5000) < confidence, 0, 1)  # the label is 0 everywhere
    >>> audited = rng.permutation(5000) < 400
    >>> print(certify(np.zeros(5000), confidence, np.where(audited, truth, -1), target=0.15).words)
    at most 15 % are wrong of 1,628 answers, those with a confidence of 0.837 or more (90 % sure; 122 audits, 12 wrong)
    """
    require_number("target", target, above=0, below=1)
    require_number("delta", delta, above=0, below=1)
    require_number("steps", steps, at_least=1, whole=True)
    sure = np.asarray(confidence, dtype=np.float64)
    if sure.shape != np.shape(labels) or np.isnan(sure).any():
        raise MethodError(f"give one confidence per label, NaN nowhere, got {sure.shape} and {np.shape(labels)}")
    given, said, _ = aligned(labels, expert)
    ladder = Ladder.of(sure[np.asarray(labels) >= 0], said >= 0, said != given)
    rung = ladder.climb(target, delta, watched=watched, steps=steps)
    counted = len(given) > 0  # rung -1 counts the audits of all
    return Certificate(
        target=target,
        delta=delta,
        bound=target if rung >= 0 else np.nan,
        threshold=float(ladder.confidence[rung]) if rung >= 0 else np.inf,
        n_certified=rung + 1,
        n_accepted=len(given),
        n_audited=int(ladder.audited[rung]) if counted else 0,
        n_wrong=int(ladder.wrong[rung]) if counted else 0,
        watched=watched,
    )
