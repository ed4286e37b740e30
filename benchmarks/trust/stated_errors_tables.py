"""Tables of stated errors without an audit, from the last full run."""

from benchmarks.tables import Figures, figures, names, table


def tables() -> dict[str, str]:
    """Return the tables and figures by name, as the pages name them (see docs/write_tables.py)."""
    values = figures("trust/stated_errors")
    unseen = "sets never used for tuning"
    return {
        "stated and measured errors": by_row(values),
        "stated ratio, median": f"{values['set left out: stated / true error, median of pools']:.2f}",
        "stated within 2x": f"{values['set left out: pools within 2x of the true error']:.0%}",
        "stated within 2x, limit": f"{values[LIMIT]:.0%}",
        "stated band covers": f"{values['set left out: 80% band holds the true error']:.0%}",
        "stated within 2x, unseen": f"{values[f'{unseen}: pools within 2x of the true error']:.0%}",
        "stated ratio, unseen": f"{values[f'{unseen}: stated / true error, median of pools']:.2f}",
        "stated band covers, unseen": f"{values[f'{unseen}: 80% band holds the true error']:.0%}",
        "stated, files": files_sentence(values),
        "majority ratios": " and ".join(
            f"{values[f'majority of {n} votes: stated / true error, median of pools']:.2f}" for n in (3, 5)
        ),
    }


LIMIT = "mean error of the same row and cost: within 2x of a pool's"


def files_sentence(values: Figures) -> str:
    """Return how far the stated error of files of votes is from the true one, in words."""
    median, close, covered = (
        values[f"files decided as they are: {what}"]
        for what in ("stated / true error, median of sets", "sets within 2x", "band holds the true error")
    )
    return f"the median is {median:.2f}, {close:.0%} are within a factor of 2, and the band covers {covered:.0%}"


def by_row(values: Figures) -> str:
    """Return a row for every row of the replays: the error that the model believes, is stated, and was measured."""
    rows = [
        [name, *(f"{values[f'{name}: {what} error']:.1%}" for what in ("believed", "stated", "true"))]
        for name in names(values, r"(.+): true error")
    ]
    return table(["set", "believed", "stated", "measured"], rows)
