"""Reach a database before anything else happens, so that one that is not there is told in one line."""

from sqlalchemy import URL, make_url, text
from sqlalchemy.exc import DBAPIError

from quorate.errors import FileError, MethodError
from quorate.service.store.database import Store


def reach(url: str) -> Store:
    """Open a database, making the folder of a SQLite file; refuse one that does not answer."""
    store = Store.open(url)
    try:
        if store.path is not None:
            store.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with store.read() as connection:
            connection.execute(text("SELECT 1"))
            if store.path is not None:
                connection.execute(text("SELECT count(*) FROM sqlite_master"))  # a file that is no database fails here
    except OSError as error:
        raise FileError(f"the folder of {shown(url)} cannot be made: {error.strerror}") from None
    except DBAPIError as error:
        store.close()
        raise MethodError(f"the database {shown(url)} cannot be reached: {first_line(error)}") from None
    return store


def reach_existing(url: str) -> Store:
    """Open a database that a service made; refuse to make one."""
    path = Store.open(url).path
    if path is not None and not path.is_file():
        raise FileError(f"there is no service in {path.parent} ({path.name} is missing): give its folder by --data")
    return reach(url)


def shown(url: str | URL) -> str:
    """The address of a database without its password."""
    parsed = make_url(url).difference_update_query(["password", "sslpassword"])
    return parsed._replace(password=None, drivername=parsed.get_backend_name()).render_as_string()


def first_line(error: DBAPIError) -> str:
    """What a driver says, without the query and its values."""
    return str(error.orig).strip().split("\n")[0]
