"""An index of the items that have features: one look-up tells how many features the items of a project have."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the index."""
    op.create_index(
        "ix_items_with_features",
        "items",
        ["project_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("features IS NOT NULL"),
        postgresql_where=sa.text("features IS NOT NULL"),
    )
