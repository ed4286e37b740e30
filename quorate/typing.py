"""Array types that all packages use."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Gold = NDArray[np.int64]  # class index of each task, -1 = no gold label
