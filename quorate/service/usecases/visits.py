"""A voter's own side of a project."""

from sqlalchemy import Connection

from quorate.service.errors import Refused
from quorate.service.project_settings import ProjectSettings
from quorate.service.store.database import Record
from quorate.service.usecases import projects, voters
from quorate.service.usecases.authorise import Who, may_vote


def visitor(connection: Connection, who: Who, project_id: int) -> tuple[Record, ProjectSettings]:
    """The voter who asks, and the settings of its project."""
    may_vote(connection, who, project_id)
    if who.voter_id is None:
        raise Refused("this is for workers who came by a link or a panel: open such a link")
    return voters.get(connection, project_id, who.voter_id), settings_of(connection, project_id)


def settings_of(connection: Connection, project_id: int) -> ProjectSettings:
    """The settings of a project, as they are now."""
    row = projects.get(connection, project_id)
    return projects.plan_of(connection, project_id, row.settings_version).settings
