"""The value of asking, by a walk through all answers."""

from quorate.data.costs import Costs
from quorate.decision.belief import Belief
from quorate.typing import Array


def by_walking(belief: Belief, costs: Costs, price: float, horizon: int) -> float:
    """Return the value of asking about one task of two classes, by recursion over the answers: slow and obvious."""

    def best(joint: Array, left: int) -> float:
        stop = float(costs.risks(belief.truth(joint.sum(axis=0)[None])).min())
        if not left:
            return stop
        ask = price
        for answer in range(costs.n_classes):
            chance = float((joint * belief.answers[:, :, answer]).sum())
            after = joint * belief.answers[:, :, answer] ** belief.vote_discount
            ask += chance * best(after / after.sum(), left - 1)
        return min(stop, ask)

    start = belief.joint[0]
    return float(costs.risks(belief.probs).min()) - best(start, horizon)
