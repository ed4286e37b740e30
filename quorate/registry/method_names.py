"""Names of methods, for type checkers: written by docs/write_map.py.

Type checkers report a wrong name, as in `aggregate(votes, "dawid_sken")`. At run time every file is a name.
Code that has a name as a plain `str` uses `cast`.
"""

from typing import Literal

AggregationMethod = Literal[
    "clustered_dawid_skene",
    "crowdlab",
    "dawid_skene",
    "difficulty",
    "ebcc",
    "ensemble",
    "fast_dawid_skene",
    "glad",
    "ibcc",
    "kos",
    "la_onepass",
    "mace",
    "majority",
    "mmsr",
    "naive_soft",
    "one_coin",
    "select_best",
    "sparse_dawid_skene",
    "wawa",
    "weighted_dawid_skene",
    "weighted_majority",
    "zero_based_skill",
]
CalibratorName = Literal[
    "beta",
    "dirichlet",
    "ensemble",
    "histogram",
    "isotonic",
    "map_offsets",
    "map_temperature",
    "platt",
    "temperature",
    "vector",
]
ItemScoreName = Literal[
    "aum",
    "aumc",
    "disagreement",
    "forgetting",
    "glad_difficulty",
    "margin",
    "posterior_entropy",
    "uncertainty",
    "vote_entropy",
    "waum",
    "worker_waum",
]
PolicyName = Literal[
    "crowd_only",
    "expected_loss",
    "first_agreeing",
    "fixed_votes",
    "krivosheev",
    "machine_only",
    "nguyen",
    "swap",
    "threshold",
]
