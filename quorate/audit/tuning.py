"""Tuned constants of audits: what labels of experts teach, and which rises of the error are bet on.

The bounds hold whatever the constants are; these only determine how many audits they take.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Tuned constants, grouped by the module that uses them. "Chosen by hand": there is no record on what data."""

    # The value of an audit (value_of_audit). Set on replays of amazon_isbook, music_genre, cifar10h with
    # resnet_low_acc and temporal_snow with an earlier engine; benchmarks/decision/audit.py tests it on seven others.
    first_labels: int = 25  # that test the model's belief before more are bought
    audit_sizes: tuple[int, ...] = (100, 200, 400)  # fewer than 100 hardly teach, more than 400 hardly teach more
    max_effect: float = 0.35  # share of their loss that other tasks are spared at most, where little is at stake
    half_effect_labels: float = 100.0  # labels after the first that teach half of that
    fade_with_stakes: float = 0.5  # power of the stakes by which that share falls
    blind_with_stakes: float = 0.1  # power of the stakes by which the loss grows that the model does not see
    surprise: float = 3.0  # times the believed loss: not rare, so first labels are bought if they would pay then

    # Bets on a rise of the error (drift). Chosen by hand
    rises: tuple[float, ...] = (1.5, 2.5, 5.0)  # times the bound; an equal bet on each
    checks_to_know: int = 20  # checks before the normal rate of disagreement between classifier and people is known
    checks_to_settle: int = 10  # latest checks that do not count for it yet: a drift must not become normal
    rise_to_date: float = 1.5  # times the normal rate, for finding the time of a change

    # Bets against an error to be ruled out (bounds/anytime). Chosen by the exact number of audits until an error of e
    # is certified as at most 2.5 e: 4% above the optimum, and within a third of it from 1.5 e to 10 e.
    bet_shares: tuple[float, ...] = (0.05, 0.2, 0.4, 0.6)  # the error bet on, as a share of the one to be ruled out
    bet_weights: tuple[int, ...] = (1, 1, 3, 1)  # of these bets; they are scaled to sum to one

    # Where a sequence of sets of answers begins (fixed_sequence). Chosen by hand
    first_share: float = 0.5  # the most confident half, if it is watched: its start must not move as audits arrive
    max_spared: int = 2  # wrong answers that may pass at the start, if half of the audits are enough for that


TUNING = Tuning()
