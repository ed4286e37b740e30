"""Constants of inference that were tuned: the prior of a worker's answers, and when vote counts look balanced."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Tuned constants, grouped by the module that uses them."""

    # Answers of workers where the method has no model of them (responses). The default `strength` of dawid_skene, which
    # was chosen on the sets of docs/accuracy.md
    pseudo_votes: float = 8.0  # weight of the crowd's answers to a class, in votes of the worker

    # Balance of the classes (class_balance). Set together with the decision engine (see decision/tuning)
    max_entropy_gap: float = 0.02  # share by which the entropy of answers may fall short of uniform, with 8 classes


TUNING = Tuning()
