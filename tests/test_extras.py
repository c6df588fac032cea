"""A package that is not installed is named together with the way to get it."""

import pytest

from releaseops_mcp import extras
from releaseops_mcp.agents import runners, schemes
from releaseops_mcp.cli.app import run
from releaseops_mcp.errors import InvalidArgument


def lacking(name):
    def load(*_):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    return load


@pytest.mark.parametrize(
    ("name", "cure"), [("langgraph.graph", r"releaseops-arena\[graph\]"), ("their_own", "install their_own")]
)
def test_the_message_says_how_to_get_it(name, cure):
    with pytest.raises(InvalidArgument, match=cure):
        raise extras.missing("this", ModuleNotFoundError(name=name))


def test_a_runner_without_its_package_says_so(monkeypatch):
    monkeypatch.setattr(runners, "runners", lambda: {"graph": lacking("langgraph")})
    with pytest.raises(InvalidArgument, match=r"runner graph needs langgraph.*\[graph\]"):
        runners.find_runner("graph")


def test_an_agent_without_its_package_says_so(monkeypatch):
    monkeypatch.setattr(schemes, "schemes", lambda: {"openai": lacking("langchain_openai")})
    with pytest.raises(InvalidArgument, match=r"openai: needs langchain_openai.*\[openai\]"):
        schemes.make_supervisor("openai:some-model", "classic-gate")


def test_a_command_without_its_package_is_one_line_and_a_usage_error(monkeypatch, capsys):
    monkeypatch.setattr("releaseops_mcp.cli.app.build", lambda: lambda **_: lacking("langgraph")())
    assert run(["graph", "draw"]) == 2
    assert "pip install 'releaseops-arena[graph]'" in capsys.readouterr().err
