"""Tables of the pages on experts, budgets, streams, forecasts and stated errors, from the last full runs."""

from benchmarks.tables import Figures, figures, names, results, table

WAYS = {
    "no experts": "none",
    "experts by value": "by value, as the engine asks them",
    "experts by value, with WAUM": "by value, with WAUM as an input",
    "experts by expected cost, at the end": "after the crowd: highest expected cost",
    "experts by WAUM, at the end": "after the crowd: lowest WAUM",
    "experts by disagreement, at the end": "after the crowd: classifier and votes disagree most",
    "experts by vote entropy, at the end": "after the crowd: highest vote entropy",
    "experts at random": "at random",
}
FORECASTS = {
    "plain simulation": "plain simulation",
    "each set by all others": "corrected with all other sets",
    "each set by all others, machine: none": "of these, without a classifier",
    "each set by all others, machine: learning": "with a classifier that learns",
    "each set by all others, machine: given": "with a fixed classifier (cifar10h)",
    "each half of the sets by the other": "each half of the sets, corrected with the other half",
    "each set by all others, learnt machine given at once": "trained classifier from the start",
}
ORDERS = {"value": "by value", "random order": "random", "three votes in turn": "three votes each"}
RESPONSES = {
    "watched": "monitored",
    "not watched": "not monitored",
    "a window of 300": "window of 300",
    "a half-life of 150": "half-life of 150",
}
BASELINES = {"never": "no audit", "always 200": "always 200 labels"}
AUDITS = {
    "that only judges": "used for the estimate only",
    "that also teaches, in folds": "also used for learning, cross-validated",
}


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    budget = figures("decision/budget")
    return {
        "experts by value": experts(figures("decision/experts")),
        "audits": audits(figures("decision/audit")),
        "budgets": budgets(budget),
        "streams": streams(budget),
        "drifts": drifts(budget),
        "forecasts": forecasts(),
        "stated errors": stated(figures("decision/stated_errors")),
    }


def experts(values: Figures) -> str:
    """Return a row for every way to choose tasks for experts; the smallest loss of each column is bold."""
    columns = [(name, cost) for name in ("labelme", "music_genre") for cost in (100, 500)]
    heads = [f"{name}, {cost}" for name, cost in columns]
    lines = {
        title: [values[f"{name}, error cost {cost}: loss, {way}"] for name, cost in columns]
        for way, title in WAYS.items()
    }
    least = [min(column) for column in zip(*lines.values(), strict=True)]
    return table(
        ["experts", *heads],
        [
            [
                title,
                *(f"**{loss:.1f}**" if loss == best else f"{loss:.1f}" for loss, best in zip(row, least, strict=True)),
            ]
            for title, row in lines.items()
        ],
    )


def audits(values: Figures) -> str:
    """Return a row for every cost of an error: loss with the chosen audit, relative to no audit and to a fixed one."""
    sizes = names(values, r"pools of ([\d,]+): labels bought, mean")
    columns = [(size, other) for size in sizes for other in ("never", "always 200")]

    def ratio(size: str, other: str, cost: str) -> str:
        name = f"pools of {size}: loss with the engine's choice of audit, share of {other}'s{cost}"
        return f"{values[name]:.2f}"

    rows = [[str(cost), *(ratio(*column, f", error cost {cost}") for column in columns)] for cost in (5, 20, 100, 500)]
    rows.append(["all", *(f"**{ratio(*column, '')}**" for column in columns)])
    heads = [f"{size} tasks: relative to {BASELINES[other]}" for size, other in columns]
    return table(["cost of an error", *heads], rows)


def budgets(values: Figures) -> str:
    """Return a row for every set: loss with a limited budget, by the order in which votes are bought."""
    sets = names(values, r"(.+), free: loss")
    columns = [(share, way) for share in ("25%", "50%", "100%") for way in ORDERS]
    heads = [f"{share}: {ORDERS[way]}" for share, way in columns]
    rows = [
        [name, f"{values[f'{name}, free: loss']:.1f}"]
        + [f"{values[f'{name}, {share} of the free spend, {way}: loss']:.1f}" for share, way in columns]
        for name in sets
    ]
    return table(["set", "no limit", *heads], rows)


def streams(values: Figures) -> str:
    """Return a row for every set: loss in each quarter of a stream."""
    rows = [
        [name]
        + [f"{values[f'{name}, stream, quarter {quarter}: loss']:.1f}" for quarter in (1, 2, 3, 4)]
        + [f"{values[f'{name}, the whole pool at once: loss']:.1f}"]
        + [f"{values[f'{name}, stream: spend in the last quarter to the first']:.2f}"]
        for name in names(values, r"(.+), stream, quarter 1: loss")
    ]
    return table(["set", "first", "second", "third", "fourth", "all at once", "spend, last quarter / first"], rows)


def drifts(values: Figures) -> str:
    """Return a row for every set: loss after a drift, by the response to it."""
    rows = []
    for name in names(values, r"(.+), after a drift, watched: loss"):
        losses = [values[f"{name}, after a drift, {way}: loss"] for way in RESPONSES]
        delay = f"{values[f'{name}, drift: items until it was noticed']:.0f}"
        noticed = values[f"{name}, drift: streams in which it was noticed"]
        rows.append([name, *(f"{loss:.1f}" for loss in losses), delay if noticed else "never"])
    return table(["set", *RESPONSES.values(), "items until it was noticed"], rows)


def forecasts() -> str:
    """Return a row for every way to set the bands: how often they hold the truth, and how wide they are."""
    kinds = (
        ("80 % band holds the truth", ".2f"),
        ("width of the band / value, median", ".2f"),
        ("width of the band / value, mean", ".2f"),
        ("mean error of votes in all", ".0%"),
        ("bias of votes in all", "+.0%"),
    )
    figure_rows = {row["name"]: row for row in results("decision/forecast")}
    rows = []
    for name, title in FORECASTS.items():
        n_forecasts = figure_rows[f"{name}: {kinds[0][0]}"]["note"].removesuffix(" forecasts")
        rows.append(
            [title, n_forecasts, *(f"{figure_rows[f'{name}: {kind}']['value']:{form}}" for kind, form in kinds)]
        )
    heads = ["", "forecasts", "80% band covers the truth", "width / value, median", "mean"]
    return table([*heads, "mean error of total votes", "bias"], rows)


def stated(values: Figures) -> str:
    """Return how often the interval covers the truth, by the use of the audit."""
    judged = {name: value for name, value in values.items() if ", by an audit " in name}
    rows = [[AUDITS[name.partition(", by an audit ")[2]], f"{value:.3f}"] for name, value in judged.items()]
    return table(["audit", "90% interval covers the truth"], rows)
