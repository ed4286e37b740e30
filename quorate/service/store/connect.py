"""Opening of a database, with an error message of one line where it does not respond."""

from sqlalchemy import URL, make_url, text
from sqlalchemy.exc import DBAPIError

from quorate.errors import FileError, MethodError
from quorate.service.store.database import Store


def open_database(url: str) -> Store:
    """Open a database, and create the folder of a SQLite file; raise where the database does not respond."""
    store = Store.open(url)
    try:
        if store.path is not None:
            store.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with store.read() as connection:
            connection.execute(text("SELECT 1"))
            if store.path is not None:
                connection.execute(text("SELECT count(*) FROM sqlite_master"))  # fails where the file is not a database
    except OSError as error:
        raise FileError(f"the folder of {url_without_password(url)} cannot be created: {error.strerror}") from None
    except DBAPIError as error:
        store.close()
        raise MethodError(
            f"the database {url_without_password(url)} cannot be reached: {driver_message(error)}"
        ) from None
    return store


def open_existing(url: str) -> Store:
    """Open the database of a service; raise where there is none, instead of creating it."""
    path = Store.open(url).path
    if path is not None and not path.is_file():
        raise FileError(f"there is no service in {path.parent} ({path.name} is missing): name its folder with --data")
    return open_database(url)


def url_without_password(url: str | URL) -> str:
    """Return the URL of a database without its password."""
    parsed = make_url(url).difference_update_query(["password", "sslpassword"])
    return parsed._replace(password=None, drivername=parsed.get_backend_name()).render_as_string()


def driver_message(error: DBAPIError) -> str:
    """Return the first line of a driver's message, without the query and its values."""
    return str(error.orig).strip().split("\n")[0]
