"""Supervisors and runners that other packages bring as entry points."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from releaseops_mcp.agents import base, registry, runners
from releaseops_mcp.agents.base import Brief, Play, supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.errors import InvalidArgument


@pytest.fixture
def fresh_registries() -> Iterator[None]:
    """Load the registries anew within the test, and again after it."""
    before = dict(base.registered())
    registry.supervisors.cache_clear()
    runners.runners.cache_clear()
    yield
    base.registered().clear()
    base.registered().update(before)
    registry.supervisors.cache_clear()
    runners.runners.cache_clear()


def register() -> None:
    @supervisor("throw-away", suite="classic-canary")
    def throw_away(brief: Brief) -> Play:
        """Leaves at once."""
        yield from ()


class Registering(EntryPoint):
    def load(self) -> object:
        register()
        return None


@pytest.mark.usefixtures("fresh_registries")
def test_a_supervisor_of_another_package_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Registering("throw-away", "elsewhere", "releaseops.agents")
    monkeypatch.setattr(registry, "entry_points", lambda group: [found] if group == "releaseops.agents" else [])

    entry = registry.find_supervisor("throw-away", "classic-canary")

    assert (entry.summary, entry.degenerate) == ("Leaves at once.", False)
    assert entry in registry.supervisors_for("classic-canary")


@pytest.mark.usefixtures("fresh_registries")
def test_a_runner_of_another_package_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("again", "releaseops_mcp.agents.runner:play_episode", runners.GROUP)
    monkeypatch.setattr(runners, "entry_points", lambda group: [entry] if group == runners.GROUP else [])

    assert runners.find_runner("again") is play_episode


def test_an_unknown_runner_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidArgument, match="no runner 'telepathy': choose one of python"):
        runners.find_runner("telepathy")
