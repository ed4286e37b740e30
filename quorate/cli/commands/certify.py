"""`quorate certify`: a bound on the error of accepted labels, from an audit."""

from pathlib import Path
from typing import Annotated

import typer

from quorate.api.certify import audit_of
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.votes import ColumnsOption, gold_file
from quorate.cli.show.certificate import figures_of, show_certificate

EXAMPLES = output.examples(
    "quorate certify decisions.csv audit.csv --target 0.01",
    "quorate certify decisions.csv audit.csv --target 0.02 --confidence 0.95 --format json",
)


@with_option_groups
def command(
    *,
    path: Annotated[Path, typer.Argument(metavar="DECISIONS", help="File that `quorate decide --out` wrote.")],
    audit: Annotated[
        Path, typer.Argument(metavar="AUDIT", help="Expert labels (task, label) on tasks drawn at random.")
    ],
    target: Annotated[
        float, typer.Option(metavar="SHARE", help="Error rate to certify: 0.01 is one label in a hundred.")
    ] = 0.01,
    confidence: Annotated[
        float, typer.Option(metavar="SHARE", help="The certificate is right in at least this share of audits.")
    ] = 0.9,
    watched: Annotated[
        bool, typer.Option("--watched", help="The certificate is computed again as the audit grows, not only once.")
    ] = False,
    columns: ColumnsOption = "",
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Certify that at most a target share of the accepted labels is wrong, for as many labels as an audit supports.

    The decisions must have been made without the labels of the audit. Use it before you hand over labels: it also
    estimates the error of all accepted labels, and which classes are missed. In Python: quorate.certify.
    """
    audited = audit_of(path, gold_file(audit, columns))
    certificate = audited.certificate(target=target, confidence=confidence, watched=watched)
    error = audited.error(confidence=confidence)
    if format is not output.Format.table:
        console.record(figures_of(certificate, error), format)
        return
    show_certificate(certificate, error, audited, confidence=confidence)
