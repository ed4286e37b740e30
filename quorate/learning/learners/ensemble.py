"""An ensemble of learners that differ only by their seed."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import Names, as_names
from quorate.data.option_checks import require_numbers, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import FileError, MethodError
from quorate.learning._clone import fresh, has_seed
from quorate.learning.inputs import check_fit_inputs, most_likely_classes, require_fitted
from quorate.learning.state import State, inner_state, nest_state
from quorate.protocols import Learner, OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Ensemble:
    """Copies of a learner with different seeds; the prediction is the mean of their probabilities.

    It is usually more accurate and better calibrated than a single learner. After `fit`: `members_`. The trace is the
    mean, too; it is reported when all members are fitted.
    """

    learner: Learner
    members: int = 5

    def __post_init__(self) -> None:
        require_numbers(self, "members", at_least=1)
        require_part("learner", self.learner, "Network()", "fit", "predict_proba")
        if not has_seed(self.learner):
            name = type(self.learner).__name__
            raise MethodError(f"{name} has no seed, so that all members would be the same: use it alone, or a network")

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """See quorate.protocols.Learner."""
        x, valid = check_fit_inputs(x, votes, posterior, valid, on_epoch)
        self.classes_, self.workers_ = votes.classes, votes.workers
        trace: dict[int, list[Array]] = {}

        def record(epoch: int, probs: Array) -> None:
            trace.setdefault(epoch, []).append(probs)

        self.members_ = [
            fresh(self.learner, shift).fit(x, votes, posterior, valid=valid, on_epoch=record if on_epoch else None)
            for shift in range(self.members)
        ]
        for epoch, probs_of_members in trace.items():
            if on_epoch is not None:
                on_epoch(epoch, np.mean(probs_of_members, axis=0))
        return self

    def predict_proba(self, x: Any) -> Array:
        """Return the class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "members_")
        return np.mean([member.predict_proba(x) for member in self.members_], axis=0)

    def predict(self, x: Any) -> Names:
        """Return the name of the most likely class of each item: (n,)."""
        return most_likely_classes(self, x)

    def predict_votes(self, x: Any) -> Array:
        """Predict the vote of every worker of the training votes on any items: (n, n_workers, n_classes)."""
        require_fitted(self, "members_")
        if not hasattr(self.learner, "predict_votes"):
            name = type(self.learner).__name__
            raise MethodError(f"{name} cannot predict votes: use networks with a head such as CrowdLayer()")
        total = sum(member.predict_votes(x) for member in self.members_)  # one at a time: they are large
        return total / len(self.members_)

    def state(self) -> State:
        """Return what was learnt, for `saving`."""
        values: dict[str, Any] = {"classes": self.classes_.tolist(), "workers": self.workers_.tolist()}
        arrays: dict[str, NDArray[Any]] = {}
        for number, member in enumerate(self.members_):
            member_values, member_arrays = nest_state(f"member{number}", member.state())
            values, arrays = values | member_values, arrays | member_arrays
        return values, arrays

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        self._require_members({*values} - {"classes", "workers"}, {name.split("/")[0] for name in arrays})
        self.classes_, self.workers_ = as_names(values["classes"]), as_names(values["workers"])
        self.members_ = [fresh(self.learner, shift) for shift in range(self.members)]
        for number, member in enumerate(self.members_):
            member.restore(*inner_state(f"member{number}", values, arrays))

    def _require_members(self, names: set[str], names_in_arrays: set[str]) -> None:
        """Refuse other members than the options ask for, before any is built: a file may ask for a million."""
        if len(names) != self.members:
            raise FileError(f"it should have {self.members} members, but has {len(names)}: copy the model again")
        if not names_in_arrays <= names == {f"member{number}" for number in range(self.members)}:
            raise FileError("its members are not numbered from 0 on: copy the model again")
