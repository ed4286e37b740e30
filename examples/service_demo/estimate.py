"""Forecast of the service after the pilot of the demo, as a table."""

import time

from examples.service_demo.pools import COST, CURRENCY
from quorate import QuorateError
from quorate.client import Band, Client, ClientError, Estimate

POLL_SECONDS, TIMEOUT = 0.5, 120.0
RANGE = "80% range"
NAMES = {
    "engine": "this service",
    "crowd_only": "crowd alone",
    "fixed_3": "3 votes on every item",
    "fixed_5": "5 votes on every item",
}


def estimate_of(client: Client, project: int) -> Estimate:
    """Wait for the estimate, which the learner computes when the pilot has ended."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            return client.projects.estimate(project)
        except ClientError as error:
            if error.status != 409:
                raise
        time.sleep(POLL_SECONDS)
    raise QuorateError(f"there is no estimate {TIMEOUT:g} seconds after the pilot")


def show_estimate(estimate: Estimate) -> None:
    """Print the forecast for the remaining items, summed over all questions."""
    print(f"The pilot is over and cost {estimate.spent:,.0f} {CURRENCY}. Forecast for the rest:")
    print(f"{'':24} {'votes':>8} {COST:>15} {RANGE:>20}")
    for strategy, name in NAMES.items():
        parts = [
            question.strategies[strategy] for question in estimate.questions.values() if strategy in question.strategies
        ]
        if not parts:
            continue
        zero = Band(value=0, low=0, high=0)
        votes, spend = sum((part.votes for part in parts), zero), sum((part.spend for part in parts), zero)
        likely = f"{spend.low:,.0f} to {spend.high:,.0f}"
        print(f"{name:24} {votes.value:8,.0f} {spend.value:15,.0f} {likely:>20}", flush=True)
