"""Votes on few tasks, for tests of what is learnt from them."""

import numpy as np

from quorate import Votes


def votes_of(n_tasks: int) -> Votes:
    return Votes.from_matrix(np.repeat(np.arange(n_tasks)[:, None] % 2, 3, axis=1))
