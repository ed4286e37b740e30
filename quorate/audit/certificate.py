"""The largest set of accepted answers whose error is certified, from an audit by experts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.audit.error_rate import select_accepted
from quorate.audit.fixed_sequence import Ladder, audits_to_certify
from quorate.data.option_checks import require_number
from quorate.errors import MethodError


@dataclass(frozen=True, kw_only=True, repr=False)
class Certificate:
    """A set of answers whose error is at most `bound`; that is false in at most a share `delta` of all audits.

    Attributes:
        target: error rate to certify.
        delta: probability that a certificate is wrong, at most.
        bound: the target if anything is certified, otherwise NaN.
        threshold: answers accepted with at least this confidence are certified; infinite if none are.
        n_certified: number of certified answers.
        n_accepted: number of accepted answers.
        n_audited: audits among the certified answers, or among all accepted if none are certified.
        n_wrong: wrong answers among these audits.
        watched: whether it may be looked at after every audit.
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

    def __repr__(self) -> str:
        return f"Certificate({self.words})"

    @property
    def holds(self) -> bool:
        """Whether anything is certified."""
        return self.n_certified > 0

    @property
    def words(self) -> str:
        """The certificate in words."""
        audits = f"{self.n_audited:,} audits, {self.n_wrong:,} wrong"
        if self.holds:
            return (
                f"at most {100 * self.target:g}% of the {self.n_certified:,} answers with a confidence of "
                f"{self.threshold:.3g} or more are wrong ({100 * (1 - self.delta):g}% sure; {audits})"
            )
        needed = audits_to_certify(self.target, self.delta)
        return (
            f"an error of at most {100 * self.target:g}% is not certified for any of {self.n_accepted:,} answers "
            f"({audits}); that takes at least {needed:,} audits without an error"
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
    """Find the lowest confidence from which on accepted answers are certified to have at most the target error rate.

    Sets of answers, from the most confident on, are tested one after another, each at the full delta, until one fails
    (fixed-sequence testing). If the audit is looked at once, each test is exact (Clopper and Pearson's for a finite
    pool), and the sequence begins where the audit is large enough to pass. If it is watched, each test is the anytime
    one, and the sequence begins with the most confident half.

    Args:
        labels: (n,), class indices, -1 = not accepted.
        confidence: (n,), confidence of each label.
        expert: (n,), the expert's label of audited answers, -1 = not audited. The audited answers must be a random draw
            of all accepted ones, whatever their confidence.
        target: error rate to certify.
        delta: probability that the certificate is wrong, at most.
        watched: whether it may be repeated after every audit.
        steps: number of sets.

    Paper: Angelopoulos, Bates, Candès, Jordan and Lei, "Learn then test", 2021. For the tests see `bounds`.

    >>> rng = np.random.default_rng(0)
    >>> confidence = rng.uniform(0.5, 1, 5000)
    >>> truth = np.where(rng.random(5000) < confidence, 0, 1)  # the label is 0 everywhere
    >>> audited = rng.permutation(5000) < 400
    >>> print(certify(np.zeros(5000), confidence, np.where(audited, truth, -1), target=0.15).words)
    at most 15% of the 1,628 answers with a confidence of 0.837 or more are wrong (90% sure; 122 audits, 12 wrong)
    """
    require_number("target", target, above=0, below=1)
    require_number("delta", delta, above=0, below=1)
    require_number("steps", steps, at_least=1, whole=True)
    sure = np.asarray(confidence, dtype=np.float64)
    if sure.shape != np.shape(labels) or np.isnan(sure).any():
        raise MethodError(f"give one confidence per label, without NaN, got {sure.shape} and {np.shape(labels)}")
    accepted, audit, _ = select_accepted(labels, expert)
    ladder = Ladder.of(sure[np.asarray(labels) >= 0], audit >= 0, audit != accepted)
    rung = ladder.climb(target, delta, watched=watched, steps=steps)
    counted = len(accepted) > 0  # rung -1 counts the audits of all
    return Certificate(
        target=target,
        delta=delta,
        bound=target if rung >= 0 else np.nan,
        threshold=float(ladder.confidence[rung]) if rung >= 0 else np.inf,
        n_certified=rung + 1,
        n_accepted=len(accepted),
        n_audited=int(ladder.audited[rung]) if counted else 0,
        n_wrong=int(ladder.wrong[rung]) if counted else 0,
        watched=watched,
    )
