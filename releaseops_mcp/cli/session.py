"""What the verbs of one command share: the settings, and the arena once it is needed."""

import os
import shlex
from functools import cached_property
from pathlib import Path

import typer

from releaseops_mcp.arena import Arena
from releaseops_mcp.log.store import Store
from releaseops_mcp.settings import Settings, open_arena, read_settings


class Session:
    """Opens the log at the first use, so that commands that need none never touch it."""

    def __init__(self, database: str = "") -> None:
        self._database = database

    @cached_property
    def settings(self) -> Settings:
        """The environment's settings, with the log that the command line names; raises InvalidArgument."""
        named = {"RELEASEOPS_DATABASE_URL": self._database} if self._database else {}
        return read_settings({**os.environ, **named})

    @cached_property
    def arena(self) -> Arena:
        """The arena over the log; raises StoreUnavailable and SchemaTooNew."""
        return open_arena(self.settings)

    @property
    def store(self) -> Store:
        """The log's store."""
        return self.arena.store

    @property
    def log_name(self) -> str:
        """Where the log is, for people: a file's path, or a URL without its password."""
        from sqlalchemy import make_url

        url = make_url(self.settings.database_url)
        if url.get_backend_name() == "sqlite" and url.database:
            return str(Path(url.database).absolute())
        return url.render_as_string(hide_password=True)

    @property
    def command(self) -> str:
        """How to call the command line on the same log again."""
        return f"releaseops --database {shlex.quote(self._database)}" if self._database else "releaseops"

    def close(self) -> None:
        """Close the log, if it was opened."""
        if "arena" in self.__dict__:
            self.arena.close()


def session_of(context: typer.Context) -> Session:
    """Return the session that the application has opened for this command."""
    session = context.find_object(Session)
    assert session is not None
    return session
