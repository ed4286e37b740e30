"""Several learners that differ by their seed only."""

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
from quorate.learning._inputs import fit_inputs, most_likely, require_fitted
from quorate.learning.state import State, inner, nested
from quorate.protocols import Learner, OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Ensemble:
    """Several copies of a learner, each with a seed of its own; the mean of their probabilities is the prediction.

    As a rule it is more accurate and better calibrated than one. After `fit`: `members_`. The trace is the mean too,
    told when all members are fitted.
    """

    learner: Learner
    members: int = 5

    def __post_init__(self) -> None:
        require_numbers(self, "members", at_least=1)
        require_part("learner", self.learner, "Network()", "fit", "predict_proba")
        if not has_seed(self.learner):
            given = type(self.learner).__name__
            raise MethodError(f"{given} has no seed, so that all members would be the same: use it alone, or a network")

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """See quorate.protocols.Learner."""
        x, valid = fit_inputs(x, votes, posterior, valid, on_epoch)
        self.classes_, self.workers_ = votes.classes, votes.workers
        trace: dict[int, list[Array]] = {}

        def note(epoch: int, probs: Array) -> None:
            trace.setdefault(epoch, []).append(probs)

        self.members_ = [
            fresh(self.learner, shift).fit(x, votes, posterior, valid=valid, on_epoch=note if on_epoch else None)
            for shift in range(self.members)
        ]
        for epoch, said in trace.items():
            if on_epoch is not None:
                on_epoch(epoch, np.mean(said, axis=0))
        return self

    def predict_proba(self, x: Any) -> Array:
        """Class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "members_")
        return np.mean([member.predict_proba(x) for member in self.members_], axis=0)

    def predict(self, x: Any) -> Names:
        """The most likely class of each item, by name."""
        return most_likely(self, x)

    def predict_votes(self, x: Any) -> Array:
        """What every worker of training would say of any items: (n, n_workers, n_classes)."""
        require_fitted(self, "members_")
        if not hasattr(self.learner, "predict_votes"):
            given = type(self.learner).__name__
            raise MethodError(f"{given} cannot predict votes: use networks with a head such as CrowdLayer()")
        total = sum(member.predict_votes(x) for member in self.members_)  # one at a time: they are large
        return total / len(self.members_)

    def state(self) -> State:
        """What was learnt, for `saving`."""
        known: dict[str, Any] = {"classes": self.classes_.tolist(), "workers": self.workers_.tolist()}
        arrays: dict[str, NDArray[Any]] = {}
        for place, member in enumerate(self.members_):
            its_known, its_arrays = nested(f"member{place}", member.state())
            known, arrays = known | its_known, arrays | its_arrays
        return known, arrays

    def restore(self, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take on what `state` gave."""
        self._require_members({*known} - {"classes", "workers"}, {name.split("/")[0] for name in arrays})
        self.classes_, self.workers_ = as_names(known["classes"]), as_names(known["workers"])
        self.members_ = [fresh(self.learner, shift) for shift in range(self.members)]
        for place, member in enumerate(self.members_):
            member.restore(*inner(f"member{place}", known, arrays))

    def _require_members(self, known: set[str], arrays: set[str]) -> None:
        """Refuse other members than asked for, before any is made: a file may ask for a million."""
        if len(known) != self.members:
            raise FileError(f"it is to have {self.members} members, and {len(known)} are there: copy the model again")
        if not arrays <= known == {f"member{place}" for place in range(self.members)}:
            raise FileError("its members are not numbered as they should be: copy the model again")
