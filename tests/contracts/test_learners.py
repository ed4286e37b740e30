"""What has learnt nothing says so, whichever learner it is."""

from typing import Any

import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Search
from quorate.learning.learners.self_training import SelfTraining

LEARNERS = [
    Network(),
    Linear(),
    JointEm(),
    Ensemble(learner=JointEm()),
    SelfTraining(),
    Search(learner=Linear(), options={}),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_what_has_learnt_nothing_says_so(learner: Any) -> None:
    with pytest.raises(MethodError, match="call fit first"):
        learner.predict_proba(np.zeros((2, 2)))
    if hasattr(learner, "predict_votes"):
        with pytest.raises(MethodError, match="call fit first"):
            learner.predict_votes(np.zeros((2, 2)))
