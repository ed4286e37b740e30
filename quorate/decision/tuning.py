"""Tuned constants of the decision engine: priors and penalties of fusions, and the size of the warm-up.

They were tuned together, on replays of real votes: all 14 data sets in the tables of docs/replays.md were used, and the
sets that were not are listed there separately. There is no record of the sets on which a single constant was chosen.
Constants of a single method, such as a published baseline, are in the file of the method.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Tuned constants, grouped by the module that uses them."""

    # Rounds of EM (crowd_em)
    em_rounds: int = 10  # in a first fit
    em_rounds_refit: int = 2  # in a fit that continues from an earlier one

    # Weights of classifiers (classifier_weights)
    min_class_prob: float = 1e-4  # of every class: votes can overrule any classifier
    machine_weights: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)  # candidates
    noise_rates: tuple[float, ...] = (0.003, 0.01, 0.03, 0.1)  # candidates
    default_noise: float = 0.01  # while classifiers are compared with each other
    nats_per_weight_off: float = 8.0  # evidence needed against a given classifier, times (weight - 1) squared
    nats_per_noise: float = 10.0  # evidence needed against a given classifier, per unit of noise
    nats_to_earn: float = 3.0  # evidence needed, per unit of weight, for a classifier trained on these votes
    machine_parts: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)  # of one among several classifiers, candidates

    # Trust in a classifier that was trained on these votes (classifier_trust). The shares were chosen on amazon_isbook,
    # sent_polarity, labelme, rte_snow and zencrowd_us; their form was chosen after looking at d_product
    nats_to_discriminate: float = 1.5  # evidence needed, per unit of weight, that it distinguishes tasks
    gain_share_ignored: float = 0.03  # gain as a share of the entropy of the classes, up to which it has no weight
    gain_share_trusted: float = 0.29  # the same, from which on it keeps all of its weight

    # Levels of difficulty (fusion/difficulty, fusion/auto)
    uneven_by_chance: float = 0.2  # log-ratio up to which a class that is too common is not corrected
    earned_weight: float = 0.5  # from which on a classifier counts as confirmed by the votes

    # Warm-up (policies/expected_loss)
    max_warm_up_tasks: int = 150


TUNING = Tuning()
