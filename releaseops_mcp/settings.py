"""The settings, read once from the environment, and the arena that they open."""

import os
import secrets
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.limits import Limits, Sources
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.log.engine import open_database
from releaseops_mcp.log.store import Store
from releaseops_mcp.world.orgs.loader import install_org

PREFIX = "RELEASEOPS_"


class Settings(BaseModel):
    """What an operator may set; each field is read from RELEASEOPS_ and its name in capitals."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    database_url: str = Field(default_factory=lambda: f"sqlite:///{user_data_path('releaseops') / 'log.sqlite3'}")
    """SQLAlchemy URL of the log."""
    sqlite_synchronous: Literal["NORMAL", "FULL"] = "NORMAL"
    """NORMAL survives the death of a process, FULL a loss of power too."""
    idle_hours: float = Field(default=24.0, gt=0, allow_inf_nan=False)
    """An open episode that is idle for longer expires."""
    max_open_episodes: int = Field(default=0, ge=0)
    """How many episodes may be open at once; 0 for any number."""
    allowed_hosts: tuple[str, ...] = ()
    """Hosts under which other machines reach an HTTP server, separated by commas."""

    orgs: tuple[str, ...] = ()
    """YAML files of organisations of one's own, separated by commas: scenarios of `gate` may name them."""

    @field_validator("allowed_hosts", "orgs", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


S = TypeVar("S", bound=BaseModel)


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of an environment (default: this process's); raises InvalidArgument naming the variable."""
    return read_fields(Settings, environment, {})


def read_fields(kind: type[S], environment: Mapping[str, str] | None, renamed: Mapping[str, str]) -> S:
    """Return settings of any kind; `renamed` gives the variables of fields that have other names than usual."""
    environment = os.environ if environment is None else environment
    variables = {name: renamed.get(name, PREFIX + name.upper()) for name in kind.model_fields}
    given = {name: environment[variable] for name, variable in variables.items() if environment.get(variable)}
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidArgument(f"{variables[str(first['loc'][0])]}: {first['msg']}") from None


def open_store(settings: Settings | None = None) -> Store:
    """Open the log that the settings name; raises StoreUnavailable and SchemaTooNew."""
    settings = settings or read_settings()
    return Store(open_database(settings.database_url, synchronous=settings.sqlite_synchronous))


def install_orgs(settings: Settings) -> None:
    """Let scenarios name the organisations of the settings; raises InvalidArgument saying what to change in a file."""
    for path in settings.orgs:
        install_org(Path(path))


def add_orgs(paths: Iterable[Path]) -> None:
    """Install organisations here, and name them to this process's later settings and to those it starts.

    Raises InvalidArgument.
    """
    orgs = tuple(str(path.absolute()) for path in paths)
    for path in orgs:
        if "," in path:
            raise InvalidArgument(f"{path}: a comma parts one file from the next; rename the file")
    install_orgs(Settings(orgs=orgs))
    named = dict.fromkeys((*read_settings().orgs, *orgs))
    os.environ[f"{PREFIX}ORGS"] = ",".join(named)


def open_arena(settings: Settings | None = None) -> Arena:
    """Open the arena over the log that the settings name; raises InvalidArgument for an unsound organisation."""
    settings = settings or read_settings()
    install_orgs(settings)
    limits = Limits(idle_ms=int(settings.idle_hours * 3_600_000), open_episodes=settings.max_open_episodes)
    sources = Sources(now=time.time, timer=time.perf_counter, token=secrets.token_hex)
    return Arena(open_store(settings), sources, limits)
