"""Constants of inference that were tuned: how voters answer, how common classes are, and how votes are discounted."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Tuned constants, grouped by the module that uses them."""

    # Answers of workers where the method has no model of them (responses). The default `strength` of dawid_skene, which
    # was chosen on the sets of docs/accuracy.md
    pseudo_votes: float = 8.0  # weight of the crowd's answers to a class, in votes of the worker

    # How voters answer (crowd_model). Tuned together with the decision engine (see decision/tuning), like those below
    pool_votes: float = 8.0  # pseudo-votes of the pool in each row of a worker's matrix; dawid_skene uses the same
    anchor_votes: float = 60.0  # pseudo-votes, in the pool's matrix, of a symmetric voter as accurate as agreement says
    anchor_share: float = 0.5  # weight of that voter in the final matrix of the pool: without gold, EM drifts
    min_answer_prob: float = 0.002  # of every answer to every class: people make slips
    typical_accuracy: float = 0.8  # prior mean of the accuracy of a voter
    typical_pairs: float = 20.0  # strength of that prior, in pairs of votes on the same task
    hope: float = 3.0  # standard errors of agreement by which the next voters may be better than those seen so far
    full_hope_tasks: float = 400  # tasks from which on hope is full: with fewer, learning about voters pays less

    # How common classes are (pool_prior)
    prior_by_votes: float = 3.0  # pseudo-tasks per task, distributed as the votes: EM alone drifts to its own classes
    prior_even_tasks: float = 20.0  # pseudo-tasks distributed evenly: few tasks say little about how common classes are

    # Levels of difficulty (difficulty_levels)
    level_tasks: float = 200.0  # pseudo-tasks on the shares of the levels: votes say little about them

    # Balance of the classes (class_balance). Set together with the decision engine
    max_entropy_gap: float = 0.02  # share by which the entropy of answers may fall short of uniform, with 8 classes

    # Correlated votes (design_effect). Chosen on the 19 sets of docs/trust.md, which shows how flat the optimum is
    independent_votes: float = 0.9  # n votes count as this times sqrt(n) independent ones


TUNING = Tuning()
