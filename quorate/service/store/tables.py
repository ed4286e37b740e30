"""All tables. Votes, decisions and events are only ever added to; what is counted is counted in the same transaction.

Times are seconds since 1970. Money is whole millionths (see `money`), so that sums are exact.
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

Big = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows by itself only where the key is an INTEGER
Json = JSON(none_as_null=True)  # not JSONB, which does not keep the order of names
Time = Double
Money = BigInteger


def _key() -> Column[int]:
    return Column("id", Big, primary_key=True, autoincrement=True)


def _of(table: str, *, null: bool = False, index: bool = False) -> Column[int]:
    """A column that points at a row of another table."""
    return Column(f"{table.rstrip('s')}_id", Big, ForeignKey(f"{table}.id"), nullable=null, index=index)


# --- projects

projects = Table(
    "projects",
    metadata,
    _key(),
    Column("name", String(200), nullable=False),
    Column("state", String(16), nullable=False),  # draft | pilot | estimate | running | paused | done
    Column("settings", Json, nullable=False),  # ProjectSettings, see service/project_settings.py
    Column("settings_version", Integer, nullable=False, server_default="1"),
    Column("spent", Money, nullable=False, server_default="0"),  # paid for votes that are here, fees included
    Column("machine_spent", Money, nullable=False, server_default="0"),  # of it, for what the classifier was asked
    Column("committed", Money, nullable=False, server_default="0"),  # promised to live leases, fees included
    Column("money_limit", Money),  # the budget, or that of the pilot while it runs; none = unlimited
    Column("estimate", Json),  # what the rest will cost, by question and strategy: made after the pilot
    Column("open_draw", Double, nullable=False, server_default="-1"),  # tasks with a draw up to this are in play
    Column("created_at", Time, nullable=False),
    Column("forecast", Json),  # what it will have cost at the finish, as the learner last saw it
    # Of machine_spent, what was charged before revision 0004, when it was not kept by item.
    Column("machine_spent_earlier", Money, nullable=False, server_default="0"),
    CheckConstraint("money_limit IS NULL OR spent + committed <= money_limit", name="within_budget"),
    CheckConstraint("committed >= 0 AND spent >= 0", name="money_not_negative"),
)

questions = Table(
    "questions",
    metadata,
    _key(),
    _of("projects", index=True),
    Column("position", SmallInteger, nullable=False),
    Column("name", String(200), nullable=False),
    Column("n_classes", SmallInteger, nullable=False),
    Column("model_id", Big),  # the model version in use; models are kept below
    Column(
        "report", Json
    ),  # what its owner is shown: certificate, reliability, likely mistakes, fixed numbers of votes
    UniqueConstraint("project_id", "position"),
)

models = Table(
    "models",
    metadata,
    _key(),
    _of("questions", index=True),
    Column("version", Integer, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("n_votes", Integer, nullable=False),  # that it was fitted to
    Column("machine", String(40)),  # the name of the machine that it was fitted with; none = people alone
    Column("metrics", Json, nullable=False),
    Column("fused", LargeBinary, nullable=False),  # how far to trust whom: JSON + npz
    Column("classifier", LargeBinary),  # what predicts new items; none where nothing was taught
    UniqueConstraint("question_id", "version"),
)

# --- items, and what is asked of them

items = Table(
    "items",
    metadata,
    _key(),
    _of("projects"),
    Column("key", String(200), nullable=False),  # the name that its owner gave it
    Column("kind", String(16), nullable=False),  # text | pair | image | audio | html | features
    Column("content", Json, nullable=False),  # what is shown, by kind
    Column("features", LargeBinary),  # float32 numbers for the classifier
    Column("label", SmallInteger),  # screening: 1 = included, 0 = excluded; of the only question: its label
    Column("decided", Boolean, nullable=False, server_default=text("false")),
    Column("created_at", Time, nullable=False),
    Column("machine_cost", Money),  # charged for the classifier; none = not charged, so that it is not used
    UniqueConstraint("project_id", "key"),
)

# One look-up, not a scan, finds an item with features, or that a project has none.
Index(
    "ix_items_with_features",
    items.c.project_id,
    items.c.created_at,
    sqlite_where=items.c.features.is_not(None),
    postgresql_where=items.c.features.is_not(None),
)

# A file that is read into the pool: how far it has come. What it counts is written with the rows that it counts.
imports = Table(
    "imports",
    metadata,
    _key(),
    _of("projects", index=True),
    Column("name", String(200), nullable=False),  # of the file
    Column("format", String(16), nullable=False),
    Column("options", Json, nullable=False),  # which columns, and who asked for it
    Column("state", String(16), nullable=False),  # reading | done | failed
    Column("rows", Integer, nullable=False, server_default="0"),  # read so far
    Column("added", Integer, nullable=False, server_default="0"),
    Column("repeated", Integer, nullable=False, server_default="0"),  # were there before
    Column("bad", Integer, nullable=False, server_default="0"),
    Column("errors", Json, nullable=False),  # of the first bad rows
    Column("message", Text),  # why it failed
    Column("created_at", Time, nullable=False),
    Column("finished_at", Time),
    Column("attempts", Integer, nullable=False, server_default="0"),  # to read it, those ended in order left out
)

# One row per item and question: what is believed of it, what was decided, and what is asked for next.
tasks = Table(
    "tasks",
    metadata,
    _key(),
    _of("projects"),
    _of("questions"),
    _of("items", index=True),
    Column("status", String(16), nullable=False, server_default="waiting"),
    # waiting | asking | machine | crowd | expert (who decided) | undecided | unclassifiable | excluded
    Column("label", SmallInteger),  # the cheapest label as things stand
    Column("gold", SmallInteger),  # known from the start, for practice and checks
    Column("ask", String(100)),  # the kind of voter that is asked next, or a voter of its own price; none = nobody
    Column("wanted", SmallInteger, nullable=False, server_default="0"),  # how many more votes the policy allows now
    Column("leased", SmallInteger, nullable=False, server_default="0"),  # live leases that stand for votes to come
    Column("room", SmallInteger, Computed("wanted - leased", persisted=True)),  # above 0: it may be leased once more
    Column("n_votes", SmallInteger, nullable=False, server_default="0"),  # votes that count
    Column("least_votes", SmallInteger, nullable=False, server_default="0"),  # wanted before it is decided on
    Column("priority", Double, nullable=False, server_default="0"),  # the highest is served first
    Column("draw", Double, nullable=False),  # random, the same for all tasks of an item: pilots, audits, ties
    Column("audited", Boolean, nullable=False, server_default=text("false")),  # drawn for an expert's second look
    Column("expected_cost", Double),
    Column("value", Double),  # what asking is expected to save beyond its price
    Column("confidence", Double),
    Column("posterior", LargeBinary),  # float32, one per class
    Column("machine", LargeBinary),  # float32, what the classifier said out of fold
    Column("ambiguity", Double),  # WAUM's rank: 0, the clearest, to 1
    Column("reason", String(200)),
    Column("model_id", Big),
    Column("decided_at", Time),
    Column("disputed", Boolean, nullable=False, server_default=text("false")),  # its votes disagree
    Column("wish", String(16)),  # what a requester asked for last, beside the policy: label | crowd | expert
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

# How many tasks of a question stand how: kept in the transaction that changes a task.
tallies = Table(
    "tallies",
    metadata,
    Column("question_id", Big, ForeignKey("questions.id"), primary_key=True),
    Column("status", String(16), primary_key=True),
    Column("n", Integer, nullable=False, server_default="0"),
)

# How a project stood at the end of a round of its learner: what curves are drawn from, thinned with time.
points = Table(
    "points",
    metadata,
    _key(),
    _of("projects"),
    Column("at", Time, nullable=False),
    Column("votes", Integer, nullable=False),
    Column("spent", Money, nullable=False),
    Column("statuses", Json, nullable=False),  # how many items stand how
    Column("risk", Double),  # the share of all items that would be wrong if all were settled now
    Column("error", Double),  # the share of the accepted items that is expected to be wrong
)
Index("ix_points_of_project", points.c.project_id, points.c.at)

# --- voters, leases, votes

voters = Table(
    "voters",
    metadata,
    _key(),
    _of("projects", index=True),
    Column("code", String(40), nullable=False),  # what exports and models call this voter
    Column("kind", String(16), nullable=False),  # crowd | expert | model
    Column("state", String(16), nullable=False),  # new | practice | active | failed | blocked | done
    _of("accounts", null=True),
    Column("consent_version", String(40)),
    Column("consented_at", Time),
    Column("n_votes", Integer, nullable=False, server_default="0"),  # votes of work and checks, not practice
    Column("n_checked", Integer, nullable=False, server_default="0"),  # gold checks answered, ambiguous ones left out
    Column("n_right", Integer, nullable=False, server_default="0"),
    Column("n_practised", Integer, nullable=False, server_default="0"),
    Column("earned", Money, nullable=False, server_default="0"),  # without fees
    Column("created_at", Time, nullable=False),
    Column("seen_at", Time),
    Column("judged", Json),  # what the learner makes of this voter's votes: skill, speed, spam, confusion
    UniqueConstraint("project_id", "code"),
)

# Who a voter is on a platform: apart from everything else, and never exported.
identities = Table(
    "identities",
    metadata,
    Column("voter_id", Big, ForeignKey("voters.id"), primary_key=True),
    _of("projects"),
    Column("platform", String(40), nullable=False),
    Column("external_id", String(200), nullable=False),
    Column("session", String(200)),  # the platform's number of this visit
    UniqueConstraint("project_id", "platform", "external_id"),
)

leases = Table(
    "leases",
    metadata,
    _key(),
    _of("projects", index=True),
    _of("tasks"),
    _of("voters", index=True),
    Column("purpose", String(16), nullable=False),  # work | gold | practice | audit
    Column("price", Money, nullable=False),  # what the voter gets
    Column("cost", Money, nullable=False),  # what it costs the project, fees included
    Column("leased_at", Time, nullable=False),
    Column("expires_at", Time, nullable=False, index=True),
    UniqueConstraint("task_id", "voter_id"),
    sqlite_autoincrement=True,  # the number of an ended lease must never come back
)

votes = Table(
    "votes",
    metadata,
    _key(),
    _of("projects", index=True),
    _of("questions", index=True),
    _of("tasks"),
    _of("voters"),
    Column("label", SmallInteger),  # none = skipped or unsure
    Column("said", String(16), nullable=False),  # vote | skip | unsure
    Column("note", String(500)),  # why it was skipped
    Column("purpose", String(16), nullable=False),  # as of its lease
    Column("price", Money, nullable=False),
    Column("cost", Money, nullable=False),
    Column("seconds", Double),
    Column("amendment", SmallInteger, nullable=False, server_default="0"),  # the highest of a voter and task counts
    Column("client_key", String(64), nullable=False),
    Column("given_at", Time, nullable=False),
    Column("revealed_at", Time),  # of an audit: when its voter was shown what others said; it is final from then on
    UniqueConstraint("task_id", "voter_id", "amendment"),
    UniqueConstraint("voter_id", "client_key"),
)

# Every decision that was made or taken back, with what it rested on.
decisions = Table(
    "decisions",
    metadata,
    _key(),
    _of("projects"),
    _of("tasks", index=True),
    Column("made_at", Time, nullable=False),
    Column("status", String(16), nullable=False),
    Column("label", SmallInteger),
    Column("confidence", Double),
    Column("expected_cost", Double),
    Column("reason", String(200)),
    Column("n_votes", SmallInteger, nullable=False),
    Column("model_id", Big),
)

Index("ix_decisions_of_project", decisions.c.project_id, decisions.c.id)  # what is new is read by both

# --- people

accounts = Table(
    "accounts",
    metadata,
    _key(),
    Column("name", String(200), nullable=False, unique=True),  # an e-mail address, or any name to sign in by
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

# What proves who somebody is: sessions, API tokens, one-time links. Only hashes are kept.
credentials = Table(
    "credentials",
    metadata,
    _key(),
    Column("hash", String(64), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),  # session | token | link
    _of("accounts", null=True),
    _of("voters", null=True),
    _of("projects", null=True),  # a token that opens one project only
    Column("scopes", String(200), nullable=False, server_default=""),
    Column("name", String(200)),
    Column("created_at", Time, nullable=False),
    Column("expires_at", Time),
    Column("used_at", Time),
    Column("revoked_at", Time),
)

# --- what happened, and who is told

events = Table(
    "events",
    metadata,
    _key(),
    _of("projects", null=True, index=True),
    Column("at", Time, nullable=False),
    Column("actor", String(200), nullable=False),
    Column("kind", String(60), nullable=False),
    Column("data", Json, nullable=False),
)

# Processes that work in the background tell here that they live.
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
    _of("projects", index=True),
    Column("url", String(2000), nullable=False),
    Column("kinds", String(200), nullable=False),  # with commas between
    Column("secret", String(200), nullable=False),  # a nonce: with the key of the service it makes the secret
    Column("state", String(16), nullable=False, server_default="active"),  # active | off | deleted
    Column("created_at", Time, nullable=False),
)

deliveries = Table(
    "deliveries",
    metadata,
    _key(),
    _of("webhooks", index=True),
    Column("message_id", String(60), nullable=False),
    Column("kind", String(60), nullable=False),
    Column("data", Json, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("due_at", Time),  # the next try; none = delivered or given up
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
