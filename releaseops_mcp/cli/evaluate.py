"""`releaseops eval`: supervisors side by side, then the laws of the reward, each with its figures."""

import json
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from releaseops_mcp.agents.runners import BUILT_IN
from releaseops_mcp.cli.evaluation_plan import Part, plan
from releaseops_mcp.cli.evaluation_run import Evaluated, evaluate_part, finish
from releaseops_mcp.cli.options import AsJson, Orgs, Suites
from releaseops_mcp.cli.output import note, print_json, results
from releaseops_mcp.cli.scorecard import findings_table, left_out, scorecard
from releaseops_mcp.cli.scorecard_more import more
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.evaluation.engines import ENGINES, LOCAL, open_engine
from releaseops_mcp.evaluation.folder import REPORT, RunFolder
from releaseops_mcp.evaluation.junit import too_low, write_junit
from releaseops_mcp.evaluation.manifest import manifest_of

FAILED = 1


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
    _org: Orgs = None,
    repeats: Annotated[int, typer.Option(min=1, help="Episodes of each scenario; pass^k takes several.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Episodes at a time: by default 1, and with ray the CPUs of the cluster."),
    ] = None,
    engine: Annotated[str, typer.Option(help=f"Where episodes are played: {' or '.join(ENGINES)}.")] = LOCAL,
    via: Annotated[str, typer.Option(help="How the calls reach the arena.")] = BUILT_IN,
    fail_under: Annotated[
        float | None, typer.Option(help="Exit with 1 where an agent's mean over all is below this figure.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Write a JUnit file.", dir_okay=False)] = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option(help="A run folder: figures, log and report; goes on where it was interrupted. Or FILE.json."),
    ] = None,
) -> int:
    """Let supervisors play, and print what they are worth.

    Every episode goes into the log. Without --agent all of a suite's supervisors play, the degenerate ones marked, and
    all laws of the reward are measured; with it, only the first law.
    """
    session = session_of(context)
    arena = session.arena
    parts = plan(arena, suite or (), agent or (), seeds=seeds, split=split, named=scenario or ())
    single = out if out is not None and out.suffix == ".json" else None
    named = {"suite": suite, "agent": agent, "seeds": seeds, "split": split, "scenario": scenario, "via": via}
    run_folder = out if single is None else None
    evaluated: list[Evaluated] = []
    with (
        open_engine(engine, arena, session.settings, via=via, jobs=jobs) as player,
        closing(_folder(run_folder, parts, named, repeats)) if run_folder else nullcontext() as folder,
    ):
        if folder is not None:
            folder.refuse_other_log(arena.store)
        for part in parts:
            beside = folder is not None or not as_json
            done = evaluate_part(arena, part, player, repeats=repeats, folder=folder, beside=beside)
            evaluated.append(done)
            if not as_json:
                _print(done)
        if folder is not None:
            finish(arena.store, folder, parts, evaluated)
            note(f"written to {folder.path}; open {folder.path / REPORT}")
    return _give_out(evaluated, as_json=as_json, single=single, junit=junit, fail_under=fail_under)


def _folder(out: Path, parts: list[Part], named: dict[str, Any], repeats: int) -> RunFolder:
    chosen = {part.suite: (part.supervisors, part.scenarios) for part in parts}
    return RunFolder(out, manifest_of(named, chosen, repeats=repeats))


def _print(done: Evaluated) -> None:
    counted = done.summary.rows
    results().print(
        scorecard(counted),
        more(done.summary),
        *left_out(counted, done.run.faults),
        findings_table(done.summary.laws),
        sep="\n",
    )


def _give_out(
    evaluated: list[Evaluated], *, as_json: bool, single: Path | None, junit: Path | None, fail_under: float | None
) -> int:
    rows = [row for done in evaluated for row in done.summary.rows]
    body: dict[str, Any] = {
        "rows": [row.model_dump() for row in rows],
        "laws": [law.model_dump() for done in evaluated for law in done.summary.laws],
    }
    if as_json:
        print_json(body)
    if single is not None:
        single.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")
        note(f"written to {single}")
    if junit is not None:
        write_junit(junit, rows, fail_under)
        note(f"written to {junit}")
    failures = too_low(rows, fail_under) if fail_under is not None else []
    for failure in failures:
        note(f"failed: {failure}")
    return FAILED if failures else 0
