"""A forecast as `quorate forecast` shows it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from quorate.cli import console
from quorate.data.costs import CROWD, EXPERT
from quorate.data.votes import Votes
from quorate.forecasts.forecast import Band, Forecast

TITLES = {
    "votes": "votes in all",
    "spend": "what they cost",
    "days_to_go": "days to go",
    "wrong_labels": "wrong labels",
    "cost": "cost with errors",
}


def columns_of(forecast: Forecast) -> dict[str, list[Any]]:
    """Return a row per figure: its name, expected value, and the ends of its 80% band."""
    figures = _figures(forecast)
    ends = {
        end: [None if band is None else getattr(band, end) for band in figures.values()]
        for end in ("value", "low", "high")
    }
    return {"figure": list(figures)} | ends


def show_forecast(forecast: Forecast, votes: Votes) -> None:
    """Print what the whole pool will have cost: votes, money, days and errors."""
    so_far = f"{console.count(forecast.n_votes, 'vote')} so far, which cost {forecast.spent:,.6g}"
    n_tasks = console.count(forecast.n_tasks, "task")
    console.line(f"{n_tasks}, {forecast.n_asking:,} of which ask for a vote now; {so_far}.")
    figures = _figures(forecast)
    titles = TITLES | {f"{kind}_votes_to_come": f"votes to come, {_annotators(kind)}" for kind in forecast.to_come}
    bands = list(figures.values())
    columns = {
        "": [titles[name] for name in figures],
        "expected": ["unknown" if band is None else _number(band.value) for band in bands],
        "80% band": ["" if band is None else f"{_number(band.low)} to {_number(band.high)}" for band in bands],
    }
    console.table("When no task asks for more", columns, right=["expected", "80% band"])
    _show_days(forecast.days, _last_vote(votes))
    if forecast.errors is None:
        console.line("Errors are unknown: labels of experts on tasks drawn at random (--audit) would tell.")


def _figures(forecast: Forecast) -> dict[str, Band | None]:
    figures: dict[str, Band | None] = {f"{kind}_votes_to_come": band for kind, band in forecast.to_come.items()}
    figures |= {"votes": forecast.votes, "spend": forecast.spend, "days_to_go": forecast.days}
    return figures | {"wrong_labels": forecast.errors, "cost": forecast.cost}


def _show_days(days: Band | None, last: datetime | None) -> None:
    if days is None:
        console.line("Days are unknown: say how many votes come in with --votes-per-day, or give the votes a time.")
    elif last is not None:
        ends = [last + timedelta(days=count) for count in (days.value, days.low, days.high)]
        day, low, high = (f"{end:%Y-%m-%d}" for end in ends)
        console.line(f"The last vote is expected on {day} (80% band {low} to {high}).")


def _annotators(kind: str) -> str:
    return {CROWD: "of the crowd", EXPERT: "of experts"}.get(kind, f"of {kind}")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def _last_vote(votes: Votes) -> datetime | None:
    """Return when the last vote was given; None where the votes have no time."""
    times = np.empty(0) if votes.time is None else votes.time[np.isfinite(votes.time)]
    return datetime.fromtimestamp(float(times.max()), UTC) if len(times) else None
