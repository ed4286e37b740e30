"""What the service forecasts after the pilot of the demo, as a table."""

import time

from examples.service_demo.pools import COST, CURRENCY
from quorate import QuorateError
from quorate.client import Band, Client, ClientError, Estimate

LOOK, PATIENCE = 0.5, 120.0  # seconds between looks, and in all
RANGE = "four times in five"
NAMES = {
    "engine": "as this service does",
    "crowd_only": "the crowd alone",
    "fixed_3": "3 votes on everything",
    "fixed_5": "5 votes on everything",
}


def estimate_of(client: Client, project: int) -> Estimate:
    """Wait for the estimate, which the learner makes when the pilot has ended."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            return client.projects.estimate(project)
        except ClientError as error:
            if error.status != 409:
                raise
        time.sleep(LOOK)
    raise QuorateError(f"there is no estimate {PATIENCE:g} seconds after the pilot")


def show_estimate(found: Estimate) -> None:
    """Print what is still to come, all questions together."""
    print(f"The pilot is over, and cost {found.spent:,.0f} {CURRENCY}. Still to come:")
    print(f"{'':24} {'votes':>8} {COST:>15} {RANGE:>20}")
    for strategy, name in NAMES.items():
        asked = [one.strategies[strategy] for one in found.questions.values() if strategy in one.strategies]
        if not asked:
            continue
        nothing = Band(value=0, low=0, high=0)
        votes, spend = sum((one.votes for one in asked), nothing), sum((one.spend for one in asked), nothing)
        likely = f"{spend.low:,.0f} to {spend.high:,.0f}"
        print(f"{name:24} {votes.value:8,.0f} {spend.value:15,.0f} {likely:>20}", flush=True)
