"""The table of the dashboard's forecasts, from the last full run of benchmarks/service/forecast.py."""

from benchmarks.tables import figures, names, table


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    found = figures("service/forecast")
    kinds = {"80 % band holds": ".0%", "width of the band / value, median": ".2f", "mean error of votes in all": ".0%"}
    rows = [
        [name, *(f"{found[f'{name}: {kind}']:{form}}" for kind, form in kinds.items())]
        for name in names(found, "(.+): mean error of votes in all")
    ]
    heads = ["projects", "the band holds the finish", "width / value, median", "mean error of votes in all"]
    return {"service forecasts": table(heads, rows)}
