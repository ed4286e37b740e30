"""`quorate methods`: what there is to choose from."""

from quorate import find
from quorate.cli import inputs, show

EXAMPLES = inputs.examples(
    "quorate methods",
    "quorate methods --format json",
)


def command(format: inputs.FormatOption = inputs.Format.table) -> None:  # noqa: A002 - the option's name
    """List every aggregation method: what it is, and its options with their defaults."""
    classes = {name: find.method_class("aggregation", name) for name in find.names("aggregation")}
    columns = {
        "method": list(classes),
        "what it is": [(found.__doc__ or "").splitlines()[0] for found in classes.values()],
        "options": [
            ", ".join(f"{option}={default}" for option, default in find.options("aggregation", name).items())
            for name in classes
        ],
    }
    if format is not inputs.Format.table:
        show.rows(columns, format)
    else:
        show.table(f"{len(classes)} methods", columns, wrap=["what it is", "options"])
