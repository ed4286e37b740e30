"""Types of arrays that every package uses."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


Gold = NDArray[np.int64]  # class index of every task that an expert has labelled, -1 = none
