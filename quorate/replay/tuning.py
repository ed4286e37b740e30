"""Constants of replays that were tuned: batches, warm-up, and how often models are fitted again."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Tuned constants, by the module that uses them.

    Chosen by hand: no record says on what. The share of a round and the growth are those with which the engine was
    tuned on replays of real votes (see decision/tuning.py).
    """

    # Rounds (session, pool, budget)
    batch: float = 0.2  # share of the tasks that ask for a vote, of which each round buys one
    batch_of_pool: float = 0.05  # share of all tasks on which one round buys votes, at most
    growth: float = 1.5  # the classifier is taught again when the evidence has grown by this factor
    min_batch: int = 10  # votes that are bought together, at least
    final_lessons: int = 2  # lessons of the classifier after the last vote, before a replay ends
    warm_up_share: float = 1 / 3  # of a budget: the rest is spent on what the warm-up has shown
    repeated_lessons: int = 3  # on the same votes, each with the posterior after the one before (classifiers)

    # Classifier (classifiers). Chosen on amazon_isbook and labelme
    weight_variance: float = 4.0  # of its weights under their prior, for features of mean squared length one

    # Streams (stream)
    stream_growth: float = 1.3  # the same as growth, in a stream
    refit_share: float = 0.05  # share of new votes from which on the model is fitted again


TUNING = Tuning()
