"""All tables. Votes, decisions and events are append-only; totals are updated in the transaction that changes them.

Times are seconds since 1970. Money is stored in whole millionths (see `money`), so that sums are exact.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Computed,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Big = BigInteger().with_variant(Integer, "sqlite")  # SQLite assigns ids only where the key is an INTEGER
Json = JSON(none_as_null=True)  # not JSONB, which does not keep the order of names
Time = Double
Money = BigInteger


def _key() -> Column[int]:
    return Column("id", Big, primary_key=True, autoincrement=True)


def _foreign_key(table: str, *, null: bool = False, index: bool = False) -> Column[int]:
    """Return a foreign key to another table."""
    return Column(f"{table.rstrip('s')}_id", Big, ForeignKey(f"{table}.id"), nullable=null, index=index)


# --- projects

projects = Table(
    "projects",
    metadata,
    _key(),
    Column("name", String(200), nullable=False),
    Column("state", String(16), nullable=False),  # draft | pilot | estimate | running | paused | done
    Column("settings", Json, nullable=False),  # ProjectSettings, see projects/settings.py
    Column("settings_version", Integer, nullable=False, server_default="1"),
    Column("spent", Money, nullable=False, server_default="0"),  # paid for votes and the classifier, fees included
    Column("machine_spent", Money, nullable=False, server_default="0"),  # of it, for the classifier
    Column("committed", Money, nullable=False, server_default="0"),  # promised to live leases, fees included
    Column("money_limit", Money),  # the budget, or that of the pilot while it runs; none = unlimited
    Column("estimate", Json),  # cost of the rest, by question and policy; computed after the pilot
    Column("open_draw", Double, nullable=False, server_default="-1"),  # tasks with a draw up to this are active
    Column("created_at", Time, nullable=False),
    Column("forecast", Json),  # the learner's last forecast of the final cost
    # Of machine_spent, what was charged before revision 0006, when charges were not stored by item.
    Column("machine_spent_earlier", Money, nullable=False, server_default="0"),
    CheckConstraint("money_limit IS NULL OR spent + committed <= money_limit", name="within_budget"),
    CheckConstraint("committed >= 0 AND spent >= 0", name="money_not_negative"),
)

questions = Table(
    "questions",
    metadata,
    _key(),
    _foreign_key("projects", index=True),
    Column("position", SmallInteger, nullable=False),
    Column("name", String(200), nullable=False),
    Column("n_classes", SmallInteger, nullable=False),
    Column("model_id", Big),  # the model version in use, see `models`
    Column("report", Json),  # certificate, reliability, likely mistakes, costs of fixed numbers of votes
    UniqueConstraint("project_id", "position"),
)

models = Table(
    "models",
    metadata,
    _key(),
    _foreign_key("questions", index=True),
    Column("version", Integer, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("n_votes", Integer, nullable=False),  # on which it was fitted
    Column("machine", String(40)),  # name of its classifier; none = votes only
    Column("metrics", Json, nullable=False),
    Column("fused", LargeBinary, nullable=False),  # the fitted fusion or policy, see `model_blob`
    Column("classifier", LargeBinary),  # predicts new items; none where nothing was trained
    UniqueConstraint("question_id", "version"),
)

# --- items and tasks

items = Table(
    "items",
    metadata,
    _key(),
    _foreign_key("projects"),
    Column("key", String(200), nullable=False),  # the id given by its owner
    Column("kind", String(16), nullable=False),  # text | pair | image | audio | html | features
    Column("content", Json, nullable=False),  # shown to voters; its fields depend on the kind
    Column("features", LargeBinary),  # float32, for the classifier
    Column("label", SmallInteger),  # screening: 1 = included, 0 = excluded; of the only question: its label
    Column("decided", Boolean, nullable=False, server_default=text("false")),
    Column("created_at", Time, nullable=False),
    Column("machine_cost", Money),  # charged for the classifier; none = not charged: no prediction is used
    UniqueConstraint("project_id", "key"),
)

# Finds an item with features, or that a project has none, without a scan.
Index(
    "ix_items_with_features",
    items.c.project_id,
    items.c.created_at,
    sqlite_where=items.c.features.is_not(None),
    postgresql_where=items.c.features.is_not(None),
)

# Progress of the import of a file. Counts are written in the transaction of the rows that they count.
imports = Table(
    "imports",
    metadata,
    _key(),
    _foreign_key("projects", index=True),
    Column("name", String(200), nullable=False),  # of the file
    Column("format", String(16), nullable=False),
    Column("options", Json, nullable=False),  # which columns, and who asked for it
    Column("state", String(16), nullable=False),  # reading | done | failed
    Column("rows", Integer, nullable=False, server_default="0"),  # read so far
    Column("added", Integer, nullable=False, server_default="0"),
    Column("repeated", Integer, nullable=False, server_default="0"),  # existed already
    Column("bad", Integer, nullable=False, server_default="0"),
    Column("errors", Json, nullable=False),  # of the first bad rows
    Column("message", Text),  # why it failed
    Column("created_at", Time, nullable=False),
    Column("finished_at", Time),
    Column("attempts", Integer, nullable=False, server_default="0"),  # to read it that ended with the process
)

# One row per item and question: its posterior, its decision, and what is asked next.
tasks = Table(
    "tasks",
    metadata,
    _key(),
    _foreign_key("projects"),
    _foreign_key("questions"),
    _foreign_key("items", index=True),
    Column("status", String(16), nullable=False, server_default="waiting"),
    # waiting | asking | machine | crowd | expert (who decided) | undecided | unclassifiable | excluded
    Column("label", SmallInteger),  # the label of lowest expected cost
    Column("gold", SmallInteger),  # gold label, for practice and checks
    Column(
        "ask", String(100)
    ),  # the kind of voter that is asked next, or the code of one with its own price; none = nobody
    Column("wanted", SmallInteger, nullable=False, server_default="0"),  # further votes that the policy asks for
    Column("leased", SmallInteger, nullable=False, server_default="0"),  # live leases for votes that count
    Column("room", SmallInteger, Computed("wanted - leased", persisted=True)),  # above 0: it may be leased
    Column("n_votes", SmallInteger, nullable=False, server_default="0"),  # votes that count
    Column("least_votes", SmallInteger, nullable=False, server_default="0"),  # needed before a decision
    Column("priority", Double, nullable=False, server_default="0"),  # the highest is served first
    Column("draw", Double, nullable=False),  # random, the same for all tasks of an item; orders pilots, audits and ties
    Column("audited", Boolean, nullable=False, server_default=text("false")),  # sampled for the audit by an expert
    Column("expected_cost", Double),
    Column("value", Double),  # expected saving of another vote, minus its price
    Column("confidence", Double),
    Column("posterior", LargeBinary),  # float32, one per class
    Column("machine", LargeBinary),  # float32, out-of-fold prediction of the classifier
    Column("ambiguity", Double),  # rank by WAUM, from 0 (clearest) to 1
    Column("reason", String(200)),
    Column("model_id", Big),
    Column("decided_at", Time),
    Column("disputed", Boolean, nullable=False, server_default=text("false")),  # its votes disagree
    Column("wish", String(16)),  # last override by a requester: label | crowd | expert
    UniqueConstraint("question_id", "item_id"),
    CheckConstraint("wanted >= 0 AND leased >= 0 AND n_votes >= 0", name="not_negative"),
)
Index(
    "ix_tasks_to_ask",
    tasks.c.project_id,
    tasks.c.ask,
    tasks.c.priority.desc(),
    tasks.c.draw,
    sqlite_where=tasks.c.room > 0,
    postgresql_where=tasks.c.room > 0,
)
Index(
    "ix_tasks_first_votes",
    tasks.c.project_id,
    sqlite_where=tasks.c.least_votes > tasks.c.n_votes,
    postgresql_where=tasks.c.least_votes > tasks.c.n_votes,
)
Index("ix_tasks_status", tasks.c.question_id, tasks.c.status, tasks.c.draw)
Index(
    "ix_tasks_gold",
    tasks.c.project_id,
    tasks.c.draw,
    sqlite_where=tasks.c.gold.is_not(None),
    postgresql_where=tasks.c.gold.is_not(None),
)

Index(
    "ix_tasks_ambiguity",
    tasks.c.question_id,
    tasks.c.ambiguity,
    sqlite_where=tasks.c.ambiguity.is_not(None),
    postgresql_where=tasks.c.ambiguity.is_not(None),
)
Index(
    "ix_tasks_disputed",
    tasks.c.question_id,
    tasks.c.draw,
    sqlite_where=text("disputed = 1"),
    postgresql_where=tasks.c.disputed,
)
Index("ix_tasks_audited", tasks.c.question_id, sqlite_where=text("audited = 1"), postgresql_where=tasks.c.audited)

# Number of tasks by question and status, updated in the transaction that changes a task.
tallies = Table(
    "tallies",
    metadata,
    Column("question_id", Big, ForeignKey("questions.id"), primary_key=True),
    Column("status", String(16), primary_key=True),
    Column("n", Integer, nullable=False, server_default="0"),
)

# State of a project at the end of a round of its learner, for progress curves; older points are thinned.
points = Table(
    "points",
    metadata,
    _key(),
    _foreign_key("projects"),
    Column("at", Time, nullable=False),
    Column("votes", Integer, nullable=False),
    Column("spent", Money, nullable=False),
    Column("statuses", Json, nullable=False),  # number of items by status
    Column("risk", Double),  # expected error rate if all items were decided now
    Column("error", Double),  # expected error rate of the decided items
)
Index("ix_points_of_project", points.c.project_id, points.c.at)

# --- voters, leases, votes

voters = Table(
    "voters",
    metadata,
    _key(),
    _foreign_key("projects", index=True),
    Column("code", String(40), nullable=False),  # the voter's name in exports and models
    Column("kind", String(16), nullable=False),  # crowd | expert | model
    Column("state", String(16), nullable=False),  # new | practice | active | failed | blocked | done
    _foreign_key("accounts", null=True),
    Column("consent_version", String(40)),
    Column("consented_at", Time),
    Column("n_votes", Integer, nullable=False, server_default="0"),  # votes of work and checks, not practice
    Column("n_checked", Integer, nullable=False, server_default="0"),  # gold checks answered, without ambiguous ones
    Column("n_right", Integer, nullable=False, server_default="0"),
    Column("n_practised", Integer, nullable=False, server_default="0"),
    Column("earned", Money, nullable=False, server_default="0"),  # without fees
    Column("created_at", Time, nullable=False),
    Column("seen_at", Time),
    Column("judged", Json),  # the learner's report on this voter: skill, speed, spam, confusion
    UniqueConstraint("project_id", "code"),
)

# Id of a voter on a platform: stored separately, and exported only as `pay.csv` for the panel.
identities = Table(
    "identities",
    metadata,
    Column("voter_id", Big, ForeignKey("voters.id"), primary_key=True),
    _foreign_key("projects"),
    Column("platform", String(40), nullable=False),
    Column("external_id", String(200), nullable=False),
    Column("session", String(200)),  # the platform's id of this visit
    UniqueConstraint("project_id", "platform", "external_id"),
)

leases = Table(
    "leases",
    metadata,
    _key(),
    _foreign_key("projects", index=True),
    _foreign_key("tasks"),
    _foreign_key("voters", index=True),
    Column("purpose", String(16), nullable=False),  # work | gold | practice | audit
    Column("price", Money, nullable=False),  # paid to the voter
    Column("cost", Money, nullable=False),  # charged to the project, fees included
    Column("leased_at", Time, nullable=False),
    Column("expires_at", Time, nullable=False, index=True),
    UniqueConstraint("task_id", "voter_id"),
    sqlite_autoincrement=True,  # the id of an ended lease must never be reused
)

votes = Table(
    "votes",
    metadata,
    _key(),
    _foreign_key("projects", index=True),
    _foreign_key("questions", index=True),
    _foreign_key("tasks"),
    _foreign_key("voters"),
    Column("label", SmallInteger),  # none = skipped or unsure
    Column("said", String(16), nullable=False),  # vote | skip | unsure
    Column("note", String(500)),  # why it was skipped
    Column("purpose", String(16), nullable=False),  # of its lease
    Column("price", Money, nullable=False),
    Column("cost", Money, nullable=False),
    Column("seconds", Double),
    Column("amendment", SmallInteger, nullable=False, server_default="0"),  # the highest one of a voter and task counts
    Column("client_key", String(64), nullable=False),
    Column("given_at", Time, nullable=False),
    Column("revealed_at", Time),  # of an audit: when its voter was shown the votes of others; it is final from then on
    UniqueConstraint("task_id", "voter_id", "amendment"),
    UniqueConstraint("voter_id", "client_key"),
)

# Every decision that was made or withdrawn, with its grounds.
decisions = Table(
    "decisions",
    metadata,
    _key(),
    _foreign_key("projects"),
    _foreign_key("tasks", index=True),
    Column("made_at", Time, nullable=False),
    Column("status", String(16), nullable=False),
    Column("label", SmallInteger),
    Column("confidence", Double),
    Column("expected_cost", Double),
    Column("reason", String(200)),
    Column("n_votes", SmallInteger, nullable=False),
    Column("model_id", Big),
)

Index("ix_decisions_of_project", decisions.c.project_id, decisions.c.id)  # for reading what is new

# --- people

accounts = Table(
    "accounts",
    metadata,
    _key(),
    Column("name", String(200), nullable=False, unique=True),  # user name or e-mail address
    Column("role", String(16), nullable=False),  # owner | requester | expert | worker
    Column("password_hash", String(200)),
    Column("state", String(16), nullable=False, server_default="active"),  # active | closed
    Column("created_at", Time, nullable=False),
)

members = Table(
    "members",
    metadata,
    Column("project_id", Big, ForeignKey("projects.id"), primary_key=True),
    Column("account_id", Big, ForeignKey("accounts.id"), primary_key=True),
    Column("role", String(16), nullable=False),  # requester | expert
)

# Sessions, API tokens and one-time links. Only hashes are stored.
credentials = Table(
    "credentials",
    metadata,
    _key(),
    Column("hash", String(64), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),  # session | token | link
    _foreign_key("accounts", null=True),
    _foreign_key("voters", null=True),
    _foreign_key("projects", null=True),  # a token for one project only
    Column("scopes", String(200), nullable=False, server_default=""),
    Column("name", String(200)),
    Column("created_at", Time, nullable=False),
    Column("expires_at", Time),
    Column("used_at", Time),
    Column("revoked_at", Time),
)

# --- events and webhooks

events = Table(
    "events",
    metadata,
    _key(),
    _foreign_key("projects", null=True, index=True),
    Column("at", Time, nullable=False),
    Column("actor", String(200), nullable=False),
    Column("kind", String(60), nullable=False),
    Column("data", Json, nullable=False),
)

# Background processes record here that they are alive.
heartbeats = Table(
    "heartbeats",
    metadata,
    Column("name", String(40), primary_key=True),  # learner
    Column("beat_at", Time, nullable=False),
    Column("pid", Integer, nullable=False),
)

webhooks = Table(
    "webhooks",
    metadata,
    _key(),
    _foreign_key("projects", index=True),
    Column("url", String(2000), nullable=False),
    Column("kinds", String(200), nullable=False),  # comma-separated
    Column("secret", String(200), nullable=False),  # a nonce: the secret is derived from it and the service's key
    Column("state", String(16), nullable=False, server_default="active"),  # active | off | deleted
    Column("created_at", Time, nullable=False),
)

deliveries = Table(
    "deliveries",
    metadata,
    _key(),
    _foreign_key("webhooks", index=True),
    Column("message_id", String(60), nullable=False),
    Column("kind", String(60), nullable=False),
    Column("data", Json, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("due_at", Time),  # of the next attempt; none = delivered or given up
    Column("tries", SmallInteger, nullable=False, server_default="0"),
    Column("answer", Text),  # the last status or error
    Column("delivered_at", Time),
)
Index(
    "ix_deliveries_due",
    deliveries.c.webhook_id,
    deliveries.c.due_at,
    sqlite_where=deliveries.c.due_at.is_not(None),
    postgresql_where=deliveries.c.due_at.is_not(None),
)
