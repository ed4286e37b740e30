"""Constants of learners and training that were tuned or chosen by hand: shares that are tried, thresholds and sizes.

Options of a learner, and their defaults, stay in its constructor; numerical limits stay in the module that needs them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Tuned constants, grouped by the module that uses them. "Chosen by hand": no record says on what."""

    # Comparison of two learners (learners/_referee). Looked at on LabelMe and Music with CrowdLayer; the results are in
    # the docstring of SelfTraining. Before, a round was kept unless worse by 2 standard errors: some losses were kept.
    gold_standard_errors: float = 1.0  # of the paired difference, by which a learner must be better on gold
    vote_standard_errors: float = 2.0  # the same on votes, which show less

    # Shares of the missing votes that a first round of self-training adds (learners/self_training). Chosen by hand
    shares_by_gold: tuple[float, ...] = (0.1, 0.2, 0.4)  # all are tried: gold shows which one is best
    shares_by_votes: tuple[float, ...] = (0.2, 0.1, 0.05)  # tried in this order until one is better than no round

    # Validation on votes where none is given (learners/search, learners/self_training). Chosen by hand
    held_out_share: float = 0.2  # of the tasks with votes

    # Prior from a classifier (learners/joint_em). Chosen by hand
    min_class_prior: float = 1e-6  # of every class, so that votes can outweigh any classifier
    temperature_range: tuple[float, float] = (0.2, 5.0)  # searched for the temperature that makes votes most likely

    # Features of the classifier that is fitted again and again in a replay (features). Chosen by hand
    max_columns: int = 128  # columns of tf-idf that are computed before the pool is brought to one scale
    pool_columns: int = 64  # principal components of a pool; accuracy was the same from 50 to 1,000
    word_ngrams: tuple[int, int] = (1, 2)  # words and pairs of words
    max_texts_with_rare_words: int = 50  # with more texts, words of a single text are left out

    # Shares of the variance of pairs of texts: similarities, products and differences (encoders/pairs). Chosen on
    # zencrowd_us and rte_snow: without shares, components describe topics, and not whether two texts are alike
    pair_shares: tuple[float, float, float] = (0.5, 0.35, 0.15)

    # Augmentation of images (training/augment). Chosen by hand
    max_shear: float = 0.2  # of the width, from top to bottom
    max_shift: float = 0.125  # of the width and height, that a crop may move an image: 4 of 32 pixels

    # Learning curve (value_of_labels). Chosen by hand
    latest_lessons: int = 20  # lessons that the curve is fitted to
    typical_power: float = 0.5  # the power of most classifiers' learning curves: curves of few points are drawn to it
    powers: tuple[float, float, int] = (0.1, 2.0, 40)  # smallest, largest and number of those that are tried
    robust_rounds: int = 10  # of reweighting, which gives outlying points less weight


TUNING = Tuning()
