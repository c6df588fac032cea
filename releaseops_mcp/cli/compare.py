"""`releaseops compare`: whether the difference between two agents, or two versions of one, is real."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from releaseops_mcp.cli.options import AsJson
from releaseops_mcp.cli.output import print_json, results
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.paired import RULE, Difference, by_family
from releaseops_mcp.evaluation.report import source_of
from releaseops_mcp.evaluation.tables import ALL, Tables

COLOURS = {"better": "green", "worse": "red", "no difference shown": "yellow"}

MARKS = {"better": "better", "worse": "worse", "no difference shown": "-"}


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("compare")(compare)


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="RUN or RUN:AGENT; a run folder or an export.")],
    second: Annotated[str, typer.Argument(metavar="B", help="RUN or RUN:AGENT, which is held against A.")],
    as_json: AsJson = False,
) -> None:
    """Say whether B is really better or worse than A on the scenarios that both have played."""
    before, after = _read(first), _read(second)
    differences = [
        difference
        for suite in after
        if suite in before
        for agent, other in _matched(before[suite], after[suite])
        for difference in by_family(
            after[suite].clusters(agent),
            before[suite].clusters(other),
            suite=suite,
            agent=agent if agent != other else f"{agent} (B)",
            other=other if agent != other else f"{other} (A)",
        )
    ]
    if not differences:
        raise InvalidArgument(f"{first} and {second} have no suite and agent in common: name agents as RUN:AGENT")
    if as_json:
        print_json([each.model_dump() | {"finding": each.finding, "sentence": each.sentence} for each in differences])
        return
    for overall in (each for each in differences if each.family == ALL):
        mine = [each for each in differences if (each.agent, each.suite) == (overall.agent, overall.suite)]
        results().print(Text(f"{overall.suite}: {overall.sentence}", style=f"bold {COLOURS[overall.finding]}"))
        results().print(_table(mine))
    results().print(Text(RULE, style="dim"))


def _read(named: str) -> Mapping[str, Tables]:
    """Return the tables of a run by suite, of one agent where it is named."""
    whole = Path(named)
    path, agent = (named, "") if whole.exists() or ":" not in named else named.rsplit(":", 1)
    tables: dict[str, Tables] = {}
    for entry in source_of(Path(path)).entries():
        if agent in ("", entry.played.agent):
            tables.setdefault(entry.played.suite, Tables(entry.played.suite)).add_entry(entry)
    if agent and not tables:
        raise InvalidArgument(f"{path} holds no episode of {ascii(agent)[:60]}")
    return tables


def _matched(before: Tables, after: Tables) -> list[tuple[str, str]]:
    """Return which agent of B is held against which of A: the only ones, or those of the same name."""
    ours, theirs = after.agents(), before.agents()
    if len(ours) == len(theirs) == 1:
        return [(ours[0], theirs[0])]
    if len(theirs) == 1:
        return [(agent, theirs[0]) for agent in ours if agent != theirs[0]]
    return [(agent, agent) for agent in ours if agent in theirs]


def _table(differences: list[Difference]) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("family", no_wrap=True)
    for name in ("scen.", "A", "B", "B - A", "95 %"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("real", no_wrap=True)
    for each in differences:
        interval = f"{each.ci95[0]:+.3f} .. {each.ci95[1]:+.3f}" if each.ci95 else "-"
        figures = (_figure(each.other_mean), _figure(each.agent_mean), _figure(each.difference, sign=True))
        finding = Text(MARKS[each.finding], style=COLOURS[each.finding])
        table.add_row(each.family, str(each.scenarios), *figures, interval, finding)
    return table


def _figure(value: float | None, *, sign: bool = False) -> str:
    return "-" if value is None else f"{value:+.4f}" if sign else f"{value:.4f}"
