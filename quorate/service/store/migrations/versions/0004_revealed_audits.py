"""When an auditor was shown what others said of a task: the audit answer cannot be changed from then on."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Apply this migration."""
    op.add_column("votes", sa.Column("revealed_at", sa.Double(), nullable=True))
