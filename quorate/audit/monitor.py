"""A bound on the error that is updated after each audit, and started again when the error drifts."""

from dataclasses import dataclass, field

from quorate.audit.bounds.anytime import most_wrong_anytime
from quorate.audit.drift import Drift
from quorate.audit.error_rate import in_percent
from quorate.data.option_checks import require_number


@dataclass(kw_only=True)
class Watch:
    """An upper bound on the error of accepted answers that arrive in a stream, valid after every audit.

    When the audits show that the error rose above the bound (`Drift`), they are dropped and a new certificate begins,
    with a delta of its own; until then, the old bound is too low.

    Attributes:
        delta: share of streams, at most, in which the bound is ever below an error that does not drift.
        patience: mean number of audits between false alarms, at least.
        bound: the lowest bound since the last start.
        n_audited: number of audits since the last start.
        n_wrong: number of wrong answers since the last start.
        starts: the number of audits before each certificate, 0 for the first.

    >>> watch = Watch(delta=0.1)
    >>> for number in range(300):
    ...     watch.tell(wrong=number % 60 == 59)
    >>> print(watch.words)
    at most 3.49% are wrong (90% sure; 300 audits, 5 wrong)
    >>> for number in range(100):
    ...     watch.tell(wrong=number % 6 == 0)
    >>> print(watch.words)
    at most 28.41% are wrong (90% sure; 69 audits, 11 wrong; restarted after audit 331 because the error rose)
    """

    delta: float = 0.1
    patience: float = 3000.0
    bound: float = 1.0
    n_audited: int = 0
    n_wrong: int = 0
    starts: list[int] = field(default_factory=lambda: [0])
    _drift: Drift = field(init=False)

    def __post_init__(self) -> None:
        require_number("delta", self.delta, above=0, below=1)
        self._drift = Drift(patience=self.patience)

    def tell(self, *, wrong: bool) -> None:
        """Add one audit of an accepted answer, drawn at random from those accepted at the time."""
        drifted = self._drift.tell(wrong=wrong, bound=self.bound)
        self.n_audited += 1
        self.n_wrong += wrong
        if drifted:
            self._restart()
        elif not wrong:  # a wrong answer never lowers the bound
            self.bound = min(self.bound, most_wrong_anytime(self.n_wrong, self.n_audited, delta=self.delta))

    def certified(self, target: float) -> bool:
        """Return whether the error is certified to be at most the target."""
        return self.bound <= target

    @property
    def drifts(self) -> int:
        """Number of restarts."""
        return len(self.starts) - 1

    @property
    def words(self) -> str:
        """The certificate in words."""
        restart = f"; restarted after audit {self.starts[-1]:,} because the error rose" if self.drifts else ""
        if not self.n_audited:
            return f"error unknown: nothing was audited{' since' if self.drifts else ''}{restart}"
        return (
            f"at most {in_percent(self.bound)}% are wrong ({100 * (1 - self.delta):g}% sure; "
            f"{self.n_audited:,} audits, {self.n_wrong:,} wrong{restart})"
        )

    def _restart(self) -> None:
        self.starts.append(self.starts[-1] + self.n_audited)
        self.bound, self.n_audited, self.n_wrong = 1.0, 0, 0
        self._drift = Drift(patience=self.patience)
