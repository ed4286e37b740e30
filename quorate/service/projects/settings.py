"""Settings of a project: its questions, costs, prices, policy and rules for workers. Stored as JSON, validated here."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from quorate.data.costs import CROWD, Costs, Prices
from quorate.decision.base import Policy
from quorate.decision.policy_by_name import policy_of
from quorate.errors import QuorateError

Name = Annotated[str, Field(min_length=1, max_length=200)]
Short = Annotated[str, Field(min_length=1, max_length=40)]
Words = Annotated[str, Field(max_length=20_000)]
Amount = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Site = Annotated[str, Field(max_length=200, pattern=r"^https?://[a-z0-9.-]+(:[0-9]{1,5})?$")]
MAX_CLASSES = 1000
BASELINES = (3, 5)  # fixed numbers of votes per item that a project is compared with
LEARNERS = ("linear", "network", "none", "http")  # two of `quorate.learning`; no classifier; a model at a URL


class Part(BaseModel):
    """A part of the settings. Unknown names are refused, so that a misspelt one is noticed."""

    # Defaults are required in the schema of responses only: settings are always sent in full.
    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class ClassSpec(Part):
    """A class: one of the answers to a question."""

    name: Name
    definition: Words = ""
    examples: tuple[Words, ...] = ()
    key: Annotated[str, Field(max_length=1)] | None = None  # on the keyboard


ClassesIn = Annotated[list[ClassSpec | Name], Field(min_length=2, max_length=MAX_CLASSES)]


class Question(Part):
    """A question that is asked of every item. `holds`: the class which means that a screening criterion holds."""

    name: Name = "label"
    text: Words = ""
    classes: Annotated[tuple[ClassSpec, ...], Field(min_length=2, max_length=MAX_CLASSES)]
    holds: Name | None = None

    @field_validator("classes", mode="before", json_schema_input_type=ClassesIn)
    @classmethod
    def _plain_names(cls, value: Any) -> Any:
        """Accept plain names as classes."""
        if not isinstance(value, list):
            return value
        return [{"name": entry} if isinstance(entry, str) else entry for entry in value]

    @model_validator(mode="after")
    def _check(self) -> Self:
        names = self.class_names
        if len(set(names)) < len(names):
            raise ValueError(f"the classes of {self.name!r} must differ, got {', '.join(names)}")
        if self.holds is not None and self.holds not in names:
            raise ValueError(f"holds must be one of the classes {', '.join(names)}, got {self.holds!r}")
        return self

    @property
    def class_names(self) -> tuple[str, ...]:
        """The names of the classes in order; votes and posteriors use their indices."""
        return tuple(spec.name for spec in self.classes)


class CostSettings(Part):
    """Costs of errors: one number for any error, or `matrix[true][decided]`; and the cost of giving no label."""

    error: Amount = 100.0
    matrix: tuple[tuple[Amount, ...], ...] | None = None
    unclassifiable: Amount | None = None

    @field_validator("matrix")
    @classmethod
    def _square(cls, value: tuple[tuple[float, ...], ...] | None) -> tuple[tuple[float, ...], ...] | None:
        if value is not None and any(len(row) != len(value) for row in value):
            raise ValueError(f"needs as many columns as rows, got rows of {', '.join(str(len(row)) for row in value)}")
        return value

    def of(self, n_classes: int) -> Costs:
        """Return the costs of a question with n classes."""
        if self.matrix is None:
            return Costs.of_error(self.error, n_classes, unclassifiable=self.unclassifiable)
        return Costs(matrix=self.matrix, unclassifiable=self.unclassifiable)  # type: ignore[arg-type]  # rows of floats


class PriceSettings(Part):
    """Prices of a vote by kind of voter, of the classifier per item, and the share that a platform adds as its fee."""

    votes: dict[Name, Amount] = {CROWD: 1.0}
    machine: Amount = 0.0
    platform_fee: Share = 0.0

    @property
    def prices(self) -> Prices:
        """The prices as policies use them: what a vote costs the project, fees included."""
        with_fees = {kind: price * (1 + self.platform_fee) for kind, price in self.votes.items()}
        return Prices(votes=with_fees, machine=self.machine)


class PolicySettings(Part):
    """The policy that decides: its name and its options, such as `fusion` or `n`."""

    name: Name = "expected_loss"
    options: dict[str, str | int | float | bool] = {}


class WorkerRules(Part):
    """Rules for workers. Gold items serve as practice and checks."""

    practice: Annotated[int, Field(ge=0, le=1000)] = 0  # gold items before work, with feedback
    gold_share: Share = 0.0  # of the tasks of a worker
    minimum_accuracy: Share = 0.0  # on gold, after `checks` of them
    checks: Annotated[int, Field(ge=1, le=1000)] = 5
    maximum_votes: Count | None = None
    batch: Annotated[int, Field(ge=1, le=50)] = 5  # items that a page prefetches
    lease_seconds: Annotated[float, Field(ge=5, le=86_400)] = 120.0
    amend_seconds: Annotated[float, Field(ge=0, le=86_400)] = 600.0


class Consent(Part):
    """The text that workers agree to first, or its URL. Workers are asked again for a new version."""

    version: Short = "1"
    text: Words = ""
    url: Annotated[str, Field(max_length=2000, pattern=r"^https?://")] | None = None


class LearnerSettings(Part):
    """The classifier that learns from the votes: none, a learner of `quorate.learning`, or a model at a URL."""

    name: Annotated[Name, Field(json_schema_extra={"enum": list(LEARNERS)})] = "linear"
    url: Annotated[str, Field(max_length=2000, pattern=r"^https?://")] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.name not in LEARNERS:
            raise ValueError(f"there is no learner {self.name!r}: choose one of {', '.join(LEARNERS)}")
        if (self.name == "http") != (self.url is not None):
            raise ValueError("the learner http needs a url, and no other learner takes one")
        return self


class Pilot(Part):
    """A first run on n random items, with a budget of its own."""

    items: Count = 100
    budget: Amount | None = None


class PanelEntry(Part):
    """How workers of a panel enter and return. {worker}, {session} and {code} in the completion URL are filled in."""

    platform: Short = "panel"
    worker_parameter: Name = "worker"
    session_parameter: Name = "session"
    signed: bool = True  # entry links must carry a signature
    # Values are filled in only after the host, so that nobody can be sent elsewhere.
    completion_url: Annotated[str, Field(max_length=2000, pattern=r"^https?://[^/?#\s{}]+([/?#]\S*)?$")] | None = None
    code_done: Name = "DONE"
    code_failed: Name = "CHECKS"
    code_no_work: Name = "NOWORK"
    # Sites that may show the work in a frame, as MTurk does, and to which it is then submitted.
    frames: Annotated[tuple[Site, ...], Field(max_length=20)] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        names = (self.worker_parameter, self.session_parameter, "sig")
        if len(set(names)) < len(names):
            raise ValueError(f"the parameters of the entry address must differ, got {', '.join(names)} (the signature)")
        return self

    @property
    def frame_ancestors(self) -> str:
        """The sites that may show the voter's page in a frame, for the header Content-Security-Policy."""
        return " ".join(("'self'", *self.frames))


class ProjectSettings(Part):
    """All settings of a project."""

    name: Name
    kind: Literal["single", "screening"] = "single"
    questions: Annotated[tuple[Question, ...], Field(min_length=1, max_length=50)]
    instructions: Words = ""
    currency: Annotated[str, Field(max_length=8)] = ""  # shown with amounts
    consent: Consent | None = None
    costs: CostSettings = CostSettings()
    prices: PriceSettings = PriceSettings()
    budget: Amount | None = None
    rest: Literal["cheapest", "undecided"] = "cheapest"  # how open items end when the budget is spent
    policy: PolicySettings = PolicySettings()
    learner: LearnerSettings = LearnerSettings()
    workers: WorkerRules = WorkerRules()
    votes_per_item: Annotated[int, Field(ge=1, le=1000)] = 15  # of the crowd at most; then an expert, or the best label
    audit_share: Share = 0.0
    pilot: Pilot = Pilot()
    endless: bool = False  # items keep coming: the project does not end when all items so far are decided
    door: PanelEntry = PanelEntry()

    @model_validator(mode="after")
    def _check(self) -> Self:
        names = [question.name for question in self.questions]
        if len(set(names)) < len(names):
            raise ValueError(f"questions must have different names, got {', '.join(names)}")
        for question in self.questions:
            if self.kind == "screening" and (len(question.classes) != 2 or question.holds is None):
                raise ValueError(
                    f"the criterion {question.name!r} of a screening project needs two classes and `holds`: "
                    "the class which means that it holds"
                )
            try:
                self.policy_for(question)
            except QuorateError as error:
                raise ValueError(str(error)) from None
        return self

    @property
    def warnings(self) -> list[str]:
        """Sentences about prices that are allowed but unlikely to be meant: unless classifier < vote < error."""
        messages = self.prices.prices.warnings(self.costs.of(len(self.questions[0].classes)))
        return [f"{message[0].upper()}{message[1:]}." for message in messages]

    def policy_for(self, question: Question) -> Policy:
        """Return the policy that decides on a question."""
        n_classes = len(question.classes)
        return policy_of(
            self.policy.name,
            n_classes,
            costs=self.costs.of(n_classes),
            prices=self.prices.prices,
            options=self.policy.options,
        )
