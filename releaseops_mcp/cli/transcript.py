"""One episode as a readable transcript: who played, what there was to see, each call and what moved, the figure."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from releaseops_mcp.agents.terminal.view import LONG, readable, show, spoken
from releaseops_mcp.audit.account import Account, AccountedStep, account
from releaseops_mcp.cli.movement import moved, subject
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.log.logged import LoggedEpisode

MAX_CHARS = 600
"""A longer value is cut in a transcript; --json has it whole."""


def transcript(episode: LoggedEpisode) -> RenderableType:
    """Return an episode for a reader, grading included."""
    told = account(episode)
    return Group(_heading(told), show(episode.start["observation"]), _story(told, episode))


def story(episode: LoggedEpisode) -> RenderableType:
    """Return the calls of an episode and its end alone."""
    return _story(account(episode), episode)


def ending(told: Account) -> Text:
    """Return how an episode ended and what it earned, as one line."""
    how = (told.terminal_reason or "left by its supervisor") if told.ended else "still open"
    how = how.replace("_", " ")
    if told.reward is None:
        return Text.assemble(("unscored", "bold yellow"), f"  {told.unscored}  ({how})")
    style = "bold green" if told.reward > 0 else "bold red"
    return Text.assemble((f"reward {told.reward:+.4f}", style), f"  {how}  ", (_parts(told), "dim"))


def _story(told: Account, episode: LoggedEpisode) -> RenderableType:
    return Group(*_steps(told, episode.start["observation"]), Text(), ending(told))


def _heading(told: Account) -> RenderableType:
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim")
    facts.add_column()
    facts.add_row("scenario", readable(told.scenario))
    facts.add_row("played by", readable(_player(told.origin)))
    facts.add_row("started", datetime.fromtimestamp(told.started_ms / 1000, UTC).isoformat(timespec="seconds"))
    facts.add_row("log", f"{told.events} events, head {told.head[:16]}")
    return Group(Rule(readable(told.episode_id), align="left"), facts, Text())


def _player(origin: dict[str, str]) -> str:
    client = " ".join(filter(None, (origin["client"], origin["client_version"])))
    door = " ".join(filter(None, (origin["door"], origin["transport"], origin["protocol"])))
    return ", ".join(filter(None, (origin["agent"], origin["model"], client, f"over {door}")))


def _steps(told: Account, first: Json) -> Iterator[RenderableType]:
    seen, figure = first, 0.0
    for step in told.steps:
        yield Text.assemble(
            "\n", (f"{step.step:>3}  ", "bold"), readable(step.tool, "bold cyan"), "  ", _brief(step.arguments)
        )
        about = subject(step.arguments, seen)
        lines = [*([readable(about, "italic")] if about else []), *_answer(step), *_after(step, seen)]
        if step.reward is not None and (step.reward != figure or step.detail.get("earned") != {}):
            lines.append(Text.assemble((f"figure {step.reward:+.4f}", "magenta"), (f"  {_graded(step.detail)}", "dim")))
        yield from (Padding(line, (0, 0, 0, 5)) for line in lines)
        seen = seen if step.observation is None else step.observation
        figure = step.reward or 0.0


def _answer(step: AccountedStep) -> Iterator[Text]:
    if step.error is not None:
        yield Text.assemble(readable(f"refused: {step.error}  ", "red"), _brief(step.message))
    short: list[str] = []
    for key, value in (step.result or {}).items():
        if isinstance(value, dict) or value in _given(step):
            continue
        if len(spoken(value)) > LONG:
            yield Text.assemble(readable(f"{key}: ", "dim"), _brief(value))
        else:
            short.append(f"{key.replace('_', ' ')} {spoken(value)}")
    if short:
        yield readable(", ".join(short))


def _after(step: AccountedStep, seen: Json) -> Iterator[Text]:
    if step.observation is not None:
        yield from (readable(line, "dim") for line in moved(seen, step.observation))


def _given(step: AccountedStep) -> list[object]:
    """Return the texts that the agent sent: an answer that repeats one says nothing new."""
    sent = step.arguments
    values = cast("Json", sent).values() if isinstance(sent, dict) else ()
    return [value for value in values if isinstance(value, str)]


def _graded(detail: Json) -> str:
    """Return the suite's words on a step; its figures stand in the JSON."""
    words = [str(value).replace("_", " ") for value in detail.values() if isinstance(value, str)]
    return ", ".join([*words, *(f"{name} {amount:+.2f}" for name, amount in detail.get("earned", {}).items())])


def _brief(value: object) -> Text:
    text = readable(value)
    if len(text) > MAX_CHARS:
        text.truncate(MAX_CHARS)
        text.append(" ...")
    return text


def _parts(told: Account) -> str:
    parts = ", ".join(f"{name.replace('_', ' ')} {value:+.2f}" for name, value in told.components.items() if value)
    return f"({parts})" if parts else ""
