"""Constants of the decision engine that were tuned: priors and penalties of fusions, and how much is seen first.

They were tuned as a whole, on replays of real votes: all 14 sets in the tables of docs/replays.md were looked at, and
the sets that were not are listed there apart. No record says which of these sets a single constant was chosen on.
Constants of one method alone, such as of a published baseline, stay in the file of the method.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What was tuned, by the module that uses it."""

    # How voters answer (crowd_model)
    pool_votes: float = 8.0  # pseudo-votes of the pool in each row of a worker's matrix; dawid_skene has the same
    anchor_votes: float = 60.0  # pseudo-votes, in the pool's matrix, of a symmetric voter as accurate as agreement says
    anchor_share: float = 0.5  # how far the pool's matrix is then moved to that voter: without gold, confusions stray
    least_answer: float = 0.002  # probability of every answer, whatever is known: people slip
    typical_accuracy: float = 0.8  # of a voter before any two have met
    typical_pairs: float = 20.0  # how many pairs of votes that belief weighs
    hope: float = 3.0  # standard errors of agreement by which the next voters may be better than those that were seen
    many_tasks: float = 400  # full hope from this number on: with fewer left, learning about voters pays less

    # How common classes are (pool_prior)
    prior_by_votes: float = 3.0  # pseudo-tasks per task, spread as the votes: left alone, EM drifts to its own classes
    prior_even_tasks: float = 20.0  # pseudo-tasks spread evenly: few tasks tell little of how common classes are

    # Rounds of EM (crowd_em)
    em_rounds: int = 10  # in a first fit
    em_rounds_on: int = 2  # in one that goes on from an earlier fit

    # How far machines are believed (classifier_weights)
    least_by_machine: float = 1e-4  # of every class: people can change what any machine says
    machine_weights: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)  # to choose from
    machine_doubts: tuple[float, ...] = (0.003, 0.01, 0.03, 0.1)  # to choose from
    usual_doubt: float = 0.01  # while machines are weighed one against another
    nats_per_weight_off: float = 8.0  # that votes must tell against a given machine, per squared weight off one
    nats_per_doubt: float = 10.0  # that votes must tell against a given machine, per doubt
    nats_to_earn: float = 3.0  # that votes must tell, per weight, for a machine which they taught
    machine_shares: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)  # of one among several, to choose from

    # Levels of difficulty (fusion/difficulty, fusion/auto)
    level_tasks: float = 200.0  # pseudo-tasks on the shares of the levels: votes tell little of them
    nats_to_tell_apart: float = 1.5  # per weight, by which a machine that votes taught must tell tasks apart
    uneven_by_chance: float = 0.2  # a class so much more common, in logs, is left alone: no pool is quite even
    earned_weight: float = 0.5  # from which on a machine counts as borne out

    # What is seen before anything is decided (policies/expected_loss)
    most_warm_up: int = 150  # tasks


TUNING = Tuning()
