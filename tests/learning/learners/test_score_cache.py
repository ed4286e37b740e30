from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from scipy import sparse

from quorate.learning.learners._score_cache import fingerprint


@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, pl.DataFrame, torch.as_tensor, sparse.csr_array])
def test_data_that_differs_in_any_cell_is_other_data(kind: Any) -> None:
    """Change a cell in the middle: the text of a long frame or tensor would leave it out."""
    table = np.zeros((500, 30))
    changed = table.copy()
    changed[250, 15] = 1
    assert fingerprint(kind(table)) == fingerprint(kind(table.copy()))
    assert fingerprint(kind(table)) != fingerprint(kind(changed))
