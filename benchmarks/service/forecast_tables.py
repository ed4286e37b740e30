"""Table of the dashboard's forecasts, from the last full run of benchmarks/service/forecast.py."""

from benchmarks.tables import figures, names, table

TITLES = {  # where the results use other words
    "features that tell nothing": "uninformative features",
    "easy at once": "easy from the start",
    "people alone": "without a classifier",
}


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    values = figures("service/forecast")
    kinds = {"80 % band holds": ".0%", "width of the band / value, median": ".2f", "mean error of votes in all": ".0%"}
    rows = [
        [TITLES.get(name, name), *(f"{values[f'{name}: {kind}']:{form}}" for kind, form in kinds.items())]
        for name in names(values, "(.+): mean error of votes in all")
    ]
    heads = ["projects", "80% band covers the finish", "width / value, median", "mean error of total votes"]
    return {"service forecasts": table(heads, rows)}
