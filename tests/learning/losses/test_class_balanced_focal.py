from math import log as ln

import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.learning.losses.class_balanced_focal import ClassBalancedFocal
from tests.learning.losses.values import value


def test_class_balanced_weights_by_hand() -> None:
    """Check beta = .5, counts 1 and 2: effective numbers 1 and 1.5, weights 1 and 2/3, normalised 1.2 and .8."""
    loss = ClassBalancedFocal(beta=0.5, gamma=0.0)
    assert loss.class_weights(np.array([1.0, 2.0])) == pytest.approx([1.2, 0.8])
    assert value(loss, [[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.5]] * 2, [1, 2]) == pytest.approx([0.8 * ln(2), 1.2 * ln(2)])
    assert loss.class_weights(np.array([0.0, 2.0])) == pytest.approx([1.2, 0.8])  # a count of zero is treated as one
    assert ClassBalancedFocal(beta=0.0).class_weights(np.array([1.0, 50.0])) == pytest.approx([1, 1])
    assert np.isfinite(ClassBalancedFocal().class_weights(np.array([0.0, 1e7]))).all()


def test_bad_options_are_rejected() -> None:
    for beta in (1.0, -0.1):
        with pytest.raises(MethodError):
            ClassBalancedFocal(beta=beta)
    with pytest.raises(MethodError, match="class counts"):
        ClassBalancedFocal().build(None)
