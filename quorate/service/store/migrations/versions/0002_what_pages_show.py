"""What pages show: points of curves, a forecast, reports of questions, voters as judged, tasks by dispute and wish."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Json = sa.JSON(none_as_null=True)

DISPUTED = """
UPDATE tasks SET disputed = true WHERE id IN (
    SELECT votes.task_id FROM votes JOIN voters ON voters.id = votes.voter_id
    WHERE votes.label IS NOT NULL AND votes.purpose <> 'practice'
        AND voters.kind <> 'expert' AND voters.state <> 'blocked'
        AND NOT EXISTS (
            SELECT 1 FROM votes AS later
            WHERE later.task_id = votes.task_id AND later.voter_id = votes.voter_id
                AND later.amendment > votes.amendment
        )
    GROUP BY votes.task_id HAVING min(votes.label) <> max(votes.label)
)
"""


def upgrade() -> None:
    """Apply this migration."""
    op.create_table(
        "points",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        sa.Column("statuses", Json, nullable=False),
        sa.Column("risk", sa.Double(), nullable=True),
        sa.Column("error", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_points_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_points")),
    )
    op.create_index("ix_points_of_project", "points", ["project_id", "at"], unique=False)
    op.add_column("projects", sa.Column("forecast", Json, nullable=True))
    op.add_column("questions", sa.Column("report", Json, nullable=True))
    op.add_column("tasks", sa.Column("disputed", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("tasks", sa.Column("wish", sa.String(length=16), nullable=True))
    op.create_index(
        "ix_tasks_ambiguity",
        "tasks",
        ["question_id", "ambiguity"],
        unique=False,
        sqlite_where=sa.text("ambiguity IS NOT NULL"),
        postgresql_where=sa.text("ambiguity IS NOT NULL"),
    )
    op.create_index(
        "ix_tasks_audited",
        "tasks",
        ["question_id"],
        unique=False,
        sqlite_where=sa.text("audited = 1"),
        postgresql_where=sa.text("audited"),
    )
    op.create_index(
        "ix_tasks_disputed",
        "tasks",
        ["question_id", "draw"],
        unique=False,
        sqlite_where=sa.text("disputed = 1"),
        postgresql_where=sa.text("disputed"),
    )
    op.add_column("voters", sa.Column("judged", Json, nullable=True))
    op.execute(DISPUTED)
