"""Overrides by a requester: set a label, ask for one more vote, or ask an expert. The item is returned."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from quorate.service.accounts.permissions import may_manage
from quorate.service.items import detail as item_detail
from quorate.service.items import overrides
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Body, Id, ProjectId, StoreOf
from quorate.service.routes.items import ItemDetail

router = APIRouter(prefix="/api/projects/{project_id}/items/{item_id}", tags=["items"], responses=PROBLEMS)

Name = Annotated[str, Field(min_length=1, max_length=200)]


class QuestionChoice(Body):
    """Question about the item; the first one by default."""

    question: Annotated[Name | None, Field(examples=["pet"])] = None


class RelabelIn(QuestionChoice):
    """Question about the item, and its known label."""

    label: Annotated[Name, Field(examples=["cat"])]


@router.post("/relabel")
def relabel(project_id: ProjectId, item_id: Id, sent: RelabelIn, who: Caller, store: StoreOf) -> ItemDetail:
    """Set the known label of an item: nobody is asked about it again, and it may serve as a gold check."""
    return _override(overrides.relabel, store, who, project_id, item_id, sent.question, label=sent.label)


@router.post("/reopen")
def reopen(project_id: ProjectId, item_id: Id, sent: QuestionChoice, who: Caller, store: StoreOf) -> ItemDetail:
    """Reopen a decided item: at least one more vote of the crowd is asked for."""
    return _override(overrides.reopen, store, who, project_id, item_id, sent.question)


@router.post("/expert")
def ask_expert(project_id: ProjectId, item_id: Id, sent: QuestionChoice, who: Caller, store: StoreOf) -> ItemDetail:
    """Ask an expert about an item, apart from the random audit."""
    return _override(overrides.ask_expert, store, who, project_id, item_id, sent.question)


def _override(
    act: Callable[..., None],
    store: StoreOf,
    who: Caller,
    project_id: int,
    item_id: int,
    question: str | None,
    **more: Any,
) -> ItemDetail:
    with store.write() as connection:
        may_manage(connection, who, project_id)
        version = projects.get(connection, project_id).settings_version
        plan = plan_of(connection, project_id, version)
        act(connection, plan, item_id, question, **more, actor=who.actor, now=store.clock())
        return ItemDetail.model_validate(item_detail.item_details(connection, plan, item_id))
