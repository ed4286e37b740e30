"""Settings of a service: `QUORATE_...` in the environment, or a TOML file that `QUORATE_SETTINGS` names.

The command line takes precedence, then the environment, then the file. Secrets are never read from the command line,
where every user of the machine can see them; the secret key is in the module `secret_key`.
"""

import os
import stat
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from quorate.errors import FileError, MethodError

PREFIX = "QUORATE_"
SETTINGS_FILE = f"{PREFIX}SETTINGS"
DATABASE = "quorate.db"


class Settings(BaseSettings):
    """The settings with which a service starts."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True)

    data_folder: Path = Path("quorate-data")  # SQLite database, uploads, and secret key
    database_url: SecretStr | None = None  # may contain a password; None = SQLite in the data folder
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8000  # 0 = any free port
    processes: Annotated[int, Field(ge=1, le=256)] = 1  # more than one needs PostgreSQL
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s?#]+$")] | None = None  # public URL, behind a proxy
    allow_private_webhooks: bool = False  # whether webhooks may lie in the service's own network
    max_json_bytes: Annotated[int, Field(ge=64 * 1024)] = 4 * 1024**2  # of a JSON body, such as items or settings
    max_upload_bytes: Annotated[int, Field(ge=64 * 1024)] = 4 * 1024**3  # of a file to import
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["plain", "json"] = "plain"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources of settings by precedence: command line, environment, file."""
        name = os.environ.get(SETTINGS_FILE)
        file = () if not name else (TomlConfigSettingsSource(settings_cls, toml_file=Path(name)),)
        return (init_settings, env_settings, *file)

    @property
    def database(self) -> str:
        """The URL of the database, including its password: for connecting, not for display."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.data_folder / DATABASE}"

    @property
    def media_folder(self) -> Path:
        """The folder of uploaded files."""
        return self.data_folder / "media"

    @property
    def address(self) -> str:
        """The URL of the service."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.base_url or f"http://{host}:{self.port}").rstrip("/")


def load_settings(
    *,
    data_folder: Path | None = None,
    database_url: str | None = None,
    host: str | None = None,
    port: int | None = None,
    processes: int | None = None,
) -> Settings:
    """Return the settings of this process. Arguments are those of the command line; None = not given."""
    _check_settings_file()
    if database_url is not None:
        _refuse_password(database_url)
    arguments: dict[str, Any] = {
        "data_folder": data_folder,
        "database_url": database_url,
        "host": host,
        "port": port,
        "processes": processes,
    }
    try:
        return Settings(**{name: value for name, value in arguments.items() if value is not None})
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{os.environ.get(SETTINGS_FILE)} is not TOML: {error}") from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise MethodError(f"the setting {name} ({PREFIX}{name.upper()}) is not valid: {first['msg']}") from None


def _check_settings_file() -> None:
    name = os.environ.get(SETTINGS_FILE)
    if not name:
        return
    if not Path(name).is_file():
        raise FileError(f"{SETTINGS_FILE} names {name}, which is not a file: create it, or unset the variable")
    mode = stat.S_IMODE(Path(name).stat().st_mode)
    if mode & 0o077:
        raise FileError(f"other users can read the settings in {name} (its mode is {mode:o}): run `chmod 600 {name}`")


def _refuse_password(url: str) -> None:
    try:
        parsed = make_url(url)
    except ArgumentError:
        return  # reported when it is opened
    if parsed.password is not None or "password" in parsed.query:
        raise MethodError(
            "a password on the command line can be read by every user of this machine: "
            f"set {PREFIX}DATABASE_URL instead, or put the password into ~/.pgpass"
        )
