"""Charges for the classifier, kept by item. What it predicted before this revision is not charged any more."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

PROJECTS = sa.table("projects", sa.column("id", sa.BigInteger), sa.column("settings", sa.JSON))
SETTLED = sa.text("""
UPDATE items SET machine_cost = 0 WHERE project_id = :project AND EXISTS (
    SELECT 1 FROM tasks WHERE tasks.item_id = items.id AND tasks.machine IS NOT NULL
)
""")


def upgrade() -> None:
    """Apply this migration."""
    op.add_column("projects", sa.Column("machine_spent_earlier", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("items", sa.Column("machine_cost", sa.BigInteger(), nullable=True))
    op.execute("UPDATE projects SET machine_spent_earlier = machine_spent")
    connection = op.get_bind()
    for project, settings in connection.execute(sa.select(PROJECTS)).all():
        if _machine_price(settings) > 0:
            connection.execute(SETTLED, {"project": project})


def _machine_price(settings: Any) -> float:
    """Return the price of the classifier; where it is free, items are settled when a price is first set."""
    return float((settings.get("prices") or {}).get("machine") or 0.0)
