"""How often the reading of an import was begun."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Apply this migration."""
    op.add_column("imports", sa.Column("attempts", sa.Integer(), server_default="0", nullable=False))
