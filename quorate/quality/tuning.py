"""Constants of worker quality that were chosen: thresholds of flags, and which pairs of workers are compared.

Each has its reason beside it. Only those of agreement with the consensus were chosen on data: the sets of
`benchmarks/trust/workers.py`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Chosen constants, grouped by the module that uses them."""

    # Agreement with the consensus (intervals, and the function `workers`), and flags
    min_votes: int = 10  # with fewer, workers are neither flagged nor ranked: the mean of the crowd is closer to them
    consensus_error: float = 0.4  # deviation of agreement from accuracy, in probabilities that the consensus is wrong

    # Flags of workers (flags)
    max_random_spam_score: float = 0.05  # with two classes, sensitivity + specificity < 1.22; guessing gives 1
    max_hasty_speed: float = -3.0  # about one in a thousand normal workers is as fast
    min_class_excess: float = 0.2  # share of the votes by which a class is named too often: one vote in five
    min_bias_errors: float = 3.0  # standard errors of it; about one in a thousand unbiased workers exceeds it by chance

    # Suspected copies (workers/copying)
    false_alarm: float = 0.01  # probability that a crowd without copies has any suspected pair
    min_pairs: int = 15  # pairs of six workers; with fewer, two experts next to a spammer look like copies
    max_pair_weight: int = 100  # in tasks in common, in the spread of all pairs: no single pair dominates

    # Agreement of two workers (workers/_pairs)
    min_common_tasks: int = 10  # workers with fewer tasks in common are not compared
    pseudo_agreements: float = 10.0  # agreements beyond chance at which a worker's own factor counts half

    # Speed (workers/speed)
    min_seconds: float = 0.1  # clocks that count whole seconds write 0
    min_log_spread: float = 0.1  # a deviation of 10% is not an outlier, however uniform the crowd is


TUNING = Tuning()
