"""The value of asking, by a walk through all answers."""

from quorate.data.costs import Costs
from quorate.decision.belief import Outlook
from quorate.typing import Array


def by_walking(outlook: Outlook, costs: Costs, price: float, horizon: int) -> float:
    """The cost to go on with, by recursion over the answers of one task, two classes: slow and obvious."""

    def best(belief: Array, left: int) -> float:
        stop = float(costs.risks(outlook.truth(belief.sum(axis=0)[None])).min())
        if not left:
            return stop
        ask = price
        for said in range(costs.n_classes):
            chance = float((belief * outlook.answers[:, :, said]).sum())
            after = belief * outlook.answers[:, :, said] ** outlook.vote_discount
            ask += chance * best(after / after.sum(), left - 1)
        return min(stop, ask)

    start = outlook.belief[0]
    return float(costs.risks(outlook.probs).min()) - best(start, horizon)
