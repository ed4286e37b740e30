"""First."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Json = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Apply this migration."""
    op.create_table(
        "accounts",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("state", sa.String(length=16), server_default="active", nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
    )
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("beat_at", sa.Double(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "projects",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("settings", Json, nullable=False),
        sa.Column("settings_version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("spent", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("machine_spent", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("committed", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("money_limit", sa.BigInteger(), nullable=True),
        sa.Column("estimate", Json, nullable=True),
        sa.Column("open_draw", sa.Double(), server_default="-1", nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.CheckConstraint("committed >= 0 AND spent >= 0", name=op.f("ck_projects_money_not_negative")),
        sa.CheckConstraint(
            "money_limit IS NULL OR spent + committed <= money_limit", name=op.f("ck_projects_within_budget")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    op.create_table(
        "events",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("actor", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("data", Json, nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_events_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index(op.f("ix_events_project_id"), "events", ["project_id"], unique=False)
    op.create_table(
        "imports",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("format", sa.String(length=16), nullable=False),
        sa.Column("options", Json, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("rows", sa.Integer(), server_default="0", nullable=False),
        sa.Column("added", sa.Integer(), server_default="0", nullable=False),
        sa.Column("repeated", sa.Integer(), server_default="0", nullable=False),
        sa.Column("bad", sa.Integer(), server_default="0", nullable=False),
        sa.Column("errors", Json, nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_imports_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
    )
    op.create_index(op.f("ix_imports_project_id"), "imports", ["project_id"], unique=False)
    op.create_table(
        "items",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("content", Json, nullable=False),
        sa.Column("features", sa.LargeBinary(), nullable=True),
        sa.Column("label", sa.SmallInteger(), nullable=True),
        sa.Column("decided", sa.Boolean(), server_default=sa.text("(false)"), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_items_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
        sa.UniqueConstraint("project_id", "key", name=op.f("uq_items_project_id_key")),
    )
    op.create_table(
        "members",
        sa.Column("project_id", Big, nullable=False),
        sa.Column("account_id", Big, nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_members_account_id")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_members_project_id")),
        sa.PrimaryKeyConstraint("project_id", "account_id", name=op.f("pk_members")),
    )
    op.create_table(
        "questions",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("n_classes", sa.SmallInteger(), nullable=False),
        sa.Column("model_id", Big, nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_questions_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
        sa.UniqueConstraint("project_id", "position", name=op.f("uq_questions_project_id_position")),
    )
    op.create_index(op.f("ix_questions_project_id"), "questions", ["project_id"], unique=False)
    op.create_table(
        "voters",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("account_id", Big, nullable=True),
        sa.Column("consent_version", sa.String(length=40), nullable=True),
        sa.Column("consented_at", sa.Double(), nullable=True),
        sa.Column("n_votes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("n_checked", sa.Integer(), server_default="0", nullable=False),
        sa.Column("n_right", sa.Integer(), server_default="0", nullable=False),
        sa.Column("n_practised", sa.Integer(), server_default="0", nullable=False),
        sa.Column("earned", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_voters_account_id")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_voters_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_voters")),
        sa.UniqueConstraint("project_id", "code", name=op.f("uq_voters_project_id_code")),
    )
    op.create_index(op.f("ix_voters_project_id"), "voters", ["project_id"], unique=False)
    op.create_table(
        "webhooks",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("url", sa.String(length=2000), nullable=False),
        sa.Column("kinds", sa.String(length=200), nullable=False),
        sa.Column("secret", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=16), server_default="active", nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_webhooks_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    op.create_index(op.f("ix_webhooks_project_id"), "webhooks", ["project_id"], unique=False)
    op.create_table(
        "credentials",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("account_id", Big, nullable=True),
        sa.Column("voter_id", Big, nullable=True),
        sa.Column("project_id", Big, nullable=True),
        sa.Column("scopes", sa.String(length=200), server_default="", nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=True),
        sa.Column("used_at", sa.Double(), nullable=True),
        sa.Column("revoked_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_credentials_account_id")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_credentials_project_id")),
        sa.ForeignKeyConstraint(["voter_id"], ["voters.id"], name=op.f("fk_credentials_voter_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credentials")),
        sa.UniqueConstraint("hash", name=op.f("uq_credentials_hash")),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("webhook_id", Big, nullable=False),
        sa.Column("message_id", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("data", Json, nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("due_at", sa.Double(), nullable=True),
        sa.Column("tries", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("delivered_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], name=op.f("fk_deliveries_webhook_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
    )
    op.create_index(
        "ix_deliveries_due",
        "deliveries",
        ["webhook_id", "due_at"],
        unique=False,
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_index(op.f("ix_deliveries_webhook_id"), "deliveries", ["webhook_id"], unique=False)
    op.create_table(
        "identities",
        sa.Column("voter_id", Big, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("platform", sa.String(length=40), nullable=False),
        sa.Column("external_id", sa.String(length=200), nullable=False),
        sa.Column("session", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_identities_project_id")),
        sa.ForeignKeyConstraint(["voter_id"], ["voters.id"], name=op.f("fk_identities_voter_id")),
        sa.PrimaryKeyConstraint("voter_id", name=op.f("pk_identities")),
        sa.UniqueConstraint(
            "project_id", "platform", "external_id", name=op.f("uq_identities_project_id_platform_external_id")
        ),
    )
    op.create_table(
        "models",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("question_id", Big, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("n_votes", sa.Integer(), nullable=False),
        sa.Column("machine", sa.String(length=40), nullable=True),
        sa.Column("metrics", Json, nullable=False),
        sa.Column("fused", sa.LargeBinary(), nullable=False),
        sa.Column("classifier", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_models_question_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_models")),
        sa.UniqueConstraint("question_id", "version", name=op.f("uq_models_question_id_version")),
    )
    op.create_index(op.f("ix_models_question_id"), "models", ["question_id"], unique=False)
    op.create_table(
        "tallies",
        sa.Column("question_id", Big, nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("n", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_tallies_question_id")),
        sa.PrimaryKeyConstraint("question_id", "status", name=op.f("pk_tallies")),
    )
    op.create_table(
        "tasks",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("question_id", Big, nullable=False),
        sa.Column("item_id", Big, nullable=False),
        sa.Column("status", sa.String(length=16), server_default="waiting", nullable=False),
        sa.Column("label", sa.SmallInteger(), nullable=True),
        sa.Column("gold", sa.SmallInteger(), nullable=True),
        sa.Column("ask", sa.String(length=100), nullable=True),
        sa.Column("wanted", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("leased", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("room", sa.SmallInteger(), sa.Computed("wanted - leased", persisted=True), nullable=True),
        sa.Column("n_votes", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("least_votes", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("priority", sa.Double(), server_default="0", nullable=False),
        sa.Column("draw", sa.Double(), nullable=False),
        sa.Column("audited", sa.Boolean(), server_default=sa.text("(false)"), nullable=False),
        sa.Column("expected_cost", sa.Double(), nullable=True),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("posterior", sa.LargeBinary(), nullable=True),
        sa.Column("machine", sa.LargeBinary(), nullable=True),
        sa.Column("ambiguity", sa.Double(), nullable=True),
        sa.Column("reason", sa.String(length=200), nullable=True),
        sa.Column("model_id", Big, nullable=True),
        sa.Column("decided_at", sa.Double(), nullable=True),
        sa.CheckConstraint("wanted >= 0 AND leased >= 0 AND n_votes >= 0", name=op.f("ck_tasks_not_negative")),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_tasks_item_id")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_tasks_project_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_tasks_question_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("question_id", "item_id", name=op.f("uq_tasks_question_id_item_id")),
    )
    op.create_index(
        "ix_tasks_first_votes",
        "tasks",
        ["project_id"],
        unique=False,
        sqlite_where=sa.text("least_votes > n_votes"),
        postgresql_where=sa.text("least_votes > n_votes"),
    )
    op.create_index(
        "ix_tasks_gold",
        "tasks",
        ["project_id", "draw"],
        unique=False,
        sqlite_where=sa.text("gold IS NOT NULL"),
        postgresql_where=sa.text("gold IS NOT NULL"),
    )
    op.create_index(op.f("ix_tasks_item_id"), "tasks", ["item_id"], unique=False)
    op.create_index("ix_tasks_status", "tasks", ["question_id", "status", "draw"], unique=False)
    op.create_index(
        "ix_tasks_to_ask",
        "tasks",
        ["project_id", "ask", sa.literal_column("priority DESC"), "draw"],
        unique=False,
        sqlite_where=sa.text("room > 0"),
        postgresql_where=sa.text("room > 0"),
    )
    op.create_table(
        "decisions",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("task_id", Big, nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("label", sa.SmallInteger(), nullable=True),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("expected_cost", sa.Double(), nullable=True),
        sa.Column("reason", sa.String(length=200), nullable=True),
        sa.Column("n_votes", sa.SmallInteger(), nullable=False),
        sa.Column("model_id", Big, nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_decisions_project_id")),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_decisions_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
    )
    op.create_index("ix_decisions_of_project", "decisions", ["project_id", "id"], unique=False)
    op.create_index(op.f("ix_decisions_task_id"), "decisions", ["task_id"], unique=False)
    op.create_table(
        "leases",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("task_id", Big, nullable=False),
        sa.Column("voter_id", Big, nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=False),
        sa.Column("leased_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_leases_project_id")),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_leases_task_id")),
        sa.ForeignKeyConstraint(["voter_id"], ["voters.id"], name=op.f("fk_leases_voter_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leases")),
        sa.UniqueConstraint("task_id", "voter_id", name=op.f("uq_leases_task_id_voter_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_leases_expires_at"), "leases", ["expires_at"], unique=False)
    op.create_index(op.f("ix_leases_project_id"), "leases", ["project_id"], unique=False)
    op.create_index(op.f("ix_leases_voter_id"), "leases", ["voter_id"], unique=False)
    op.create_table(
        "votes",
        sa.Column("id", Big, autoincrement=True, nullable=False),
        sa.Column("project_id", Big, nullable=False),
        sa.Column("question_id", Big, nullable=False),
        sa.Column("task_id", Big, nullable=False),
        sa.Column("voter_id", Big, nullable=False),
        sa.Column("label", sa.SmallInteger(), nullable=True),
        sa.Column("said", sa.String(length=16), nullable=False),
        sa.Column("note", sa.String(length=500), nullable=True),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("amendment", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("client_key", sa.String(length=64), nullable=False),
        sa.Column("given_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_votes_project_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_votes_question_id")),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_votes_task_id")),
        sa.ForeignKeyConstraint(["voter_id"], ["voters.id"], name=op.f("fk_votes_voter_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_votes")),
        sa.UniqueConstraint("task_id", "voter_id", "amendment", name=op.f("uq_votes_task_id_voter_id_amendment")),
        sa.UniqueConstraint("voter_id", "client_key", name=op.f("uq_votes_voter_id_client_key")),
    )
    op.create_index(op.f("ix_votes_project_id"), "votes", ["project_id"], unique=False)
    op.create_index(op.f("ix_votes_question_id"), "votes", ["question_id"], unique=False)
    # ### end Alembic commands ###
