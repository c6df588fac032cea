"""`releaseops eval`: supervisors side by side, then the laws of the reward, each with its figures."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runners import BUILT_IN, find_runner
from releaseops_mcp.arena import Arena
from releaseops_mcp.cli.choosing import (
    agents_of,
    chosen_suites,
    parse_seeds,
    scenarios_named,
    scenarios_of_seeds,
    scenarios_of_split,
)
from releaseops_mcp.cli.options import AsJson, Out, Suites
from releaseops_mcp.cli.output import bar, note, print_json, results
from releaseops_mcp.cli.scorecard import findings_table, left_out, scorecard
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.laws import Finding, measure
from releaseops_mcp.evaluation.runs import Run, run
from releaseops_mcp.evaluation.tables import Row

USUAL_SEEDS = "0..9"


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("eval")(evaluate)


def evaluate(
    context: typer.Context,
    suite: Suites = None,
    agent: Annotated[list[str] | None, typer.Option(help="Only this supervisor; may be repeated.")] = None,
    seeds: Annotated[str, typer.Option(help="Seeds of every family: 0..9 (the default), 5 or 1,3,7.")] = "",
    split: Annotated[str, typer.Option(help="A named list of scenarios, in place of seeds.")] = "",
    scenario: Annotated[list[str] | None, typer.Option(help="A scenario's id or ticket; may be repeated.")] = None,
    via: Annotated[str, typer.Option(help="How the calls reach the arena.")] = BUILT_IN,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Let supervisors play, and print what they are worth.

    Every episode goes into the log. Without --agent all of a suite's supervisors play, the degenerate ones marked, and
    all laws of the reward are measured; with it, only the first law.
    """
    if sum(map(bool, (seeds, split, scenario))) > 1:
        raise InvalidArgument("name scenarios in one way: --seeds, --split or --scenario")
    arena = session_of(context).arena
    chosen, names = chosen_suites(suite or ()), agent or ()
    if scenario:
        wanted = scenarios_named(arena, chosen, scenario)
    elif split:
        wanted = scenarios_of_split(chosen, split)
    else:
        ranges = parse_seeds(seeds or USUAL_SEEDS)
        wanted = {entry.name: scenarios_of_seeds(entry, ranges) for entry in chosen}
    rows: list[Row] = []
    findings: list[Finding] = []
    for name, scenarios in wanted.items():
        supervisors = agents_of(name, names)
        if supervisors:
            came, found = _evaluate(arena, supervisors, scenarios, via, field=not names)
            counted = list(came.tables.rows())
            if not as_json:
                results().print(scorecard(counted), *left_out(counted, came.faults), findings_table(found), sep="\n")
            rows += counted
            findings += found
    if not rows:
        raise InvalidArgument(
            f"none of {', '.join(names)} plays {', '.join(wanted)}: leave --agent out to see who does"
        )
    _give_out(rows, findings, as_json=as_json, out=out)


def _evaluate(
    arena: Arena, supervisors: Sequence[Supervisor], scenarios: Sequence[str], via: str, *, field: bool
) -> tuple[Run, list[Finding]]:
    suite, total, runner = supervisors[0].suite, len(supervisors) * len(scenarios), find_runner(via)
    began = time.perf_counter()
    with bar(suite, total) as move:
        came = run(arena, supervisors, scenarios, runner=runner, progress=lambda played: move(played.agent))
    seconds = time.perf_counter() - began
    note(f"{suite}: {total:,} episodes, {came.steps:,} steps, {came.steps / seconds:,.0f} logged steps/s")
    with bar("re-scoring", total) as move:
        return came, measure(arena, came, field=field, tick=lambda: move(""))


def _give_out(rows: list[Row], findings: list[Finding], *, as_json: bool, out: Path | None) -> None:
    body = {"rows": [row.model_dump() for row in rows], "laws": [finding.model_dump() for finding in findings]}
    if as_json:
        print_json(body)
    if out is not None:
        out.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")
        note(f"written to {out}")
