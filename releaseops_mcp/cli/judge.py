"""`releaseops judge`: what a judge says of a user's own series."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from releaseops_mcp.canary.judges import Comparison, Finding, Outcome, Verdict, find_judge
from releaseops_mcp.canary.series import ArmNames, Choice, Counted, assemble, read_files
from releaseops_mcp.cli.judge_parameters import list_judges, parameters
from releaseops_mcp.cli.options import AsJson
from releaseops_mcp.cli.output import note, print_json, results
from releaseops_mcp.errors import InvalidArgument

EXIT_CODES: Mapping[Outcome, int] = {"pass": 0, "fail": 1, "inconclusive": 4}
"""Bad input exits with 2, like everywhere."""
COLOURS: Mapping[Outcome, str] = {"pass": "green", "fail": "red", "inconclusive": "yellow"}
WITH_COUNTS, WITHOUT_COUNTS = "e-process", "kayenta-like"
"""Which judge is taken where none is named."""


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("judge")(judge)


def judge(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE...", help="Answers of Prometheus' /api/v1/query_range, or CSV tables."),
    ] = None,
    name: Annotated[
        str, typer.Option("--judge", metavar="NAME", help="Default: e-process where there are counts, or kayenta-like.")
    ] = "",
    listed: Annotated[bool, typer.Option("--list", help="List the judges and their parameters, and exit.")] = False,
    label: Annotated[
        str, typer.Option(metavar="LABEL", help="Prometheus: the label that tells the arms apart; default: found.")
    ] = "",
    canary: Annotated[str, typer.Option(help="Label value, or CSV column, of the new version.")] = "canary",
    baseline: Annotated[str, typer.Option(help="The same of a fresh instance of the old version.")] = "baseline",
    stable: Annotated[str, typer.Option(help="The same of the old version as it has been running.")] = "stable",
    counts: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=EVENTS/TOTALS", help="Make a metric of two that hold counts; may be repeated."),
    ] = None,
    absent_is_zero: Annotated[
        bool, typer.Option("--absent-is-zero", help="Where totals are known and events absent, none happened.")
    ] = False,
    metric: Annotated[list[str] | None, typer.Option(help="Only this metric; may be repeated.")] = None,
    lower_is_worse: Annotated[
        list[str] | None, typer.Option(metavar="METRIC", help="For this metric less is worse; may be repeated.")
    ] = None,
    skip: Annotated[int, typer.Option(min=0, help="Leave out the first N buckets: a warm-up.")] = 0,
    every: Annotated[int, typer.Option(min=1, help="Make one bucket of N.")] = 1,
    margin: Annotated[float | None, typer.Option(help="How many times worse is tolerated.")] = None,
    alpha: Annotated[float | None, typer.Option(help="Chance of a false failure.")] = None,
    limit: Annotated[
        list[str] | None, typer.Option(metavar="[METRIC=]X", help="Limit of the judges that have one; may be repeated.")
    ] = None,
    assigned: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other parameter; may be repeated.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw series and evidence: .svg or .png.", dir_okay=False)] = None,
    as_json: AsJson = False,
) -> int:
    """Hold a canary's telemetry against the old version's. Exit code: 0 pass, 1 fail, 4 inconclusive, 2 bad input."""
    if listed:
        list_judges()
        return 0
    if not files:
        raise InvalidArgument("judge needs a FILE: a range answer of Prometheus or a CSV table (see --help, or --list)")
    choice = Choice(
        metrics=metric or (),
        counted=[_counted(each) for each in counts or ()],
        lower_is_worse=frozenset(lower_is_worse or ()),
        absent_is_zero=absent_is_zero,
    )
    names = ArmNames(canary=canary, baseline=baseline, stable=stable, label=label)
    comparison = assemble(read_files(files, names), choice)
    if skip >= comparison.buckets:
        raise InvalidArgument(f"--skip {skip} leaves nothing of {comparison.buckets} buckets: skip fewer")
    comparison = comparison.part(skip).every(every)
    chosen = name or _default(comparison)
    verdict = find_judge(chosen, parameters(chosen, margin, alpha, limit or (), assigned or ())).judge(comparison)
    if plot is not None:
        from releaseops_mcp.cli.judge_plot import draw

        draw(comparison, verdict, plot)
        note(f"drawn to {plot}")
    if as_json:
        print_json(_plain(verdict))
    else:
        _show(verdict)
    return EXIT_CODES[verdict.outcome]


def _counted(text: str) -> Counted:
    name, equals, ratio = text.partition("=")
    events, slash, totals = ratio.partition("/")
    if not (name and equals and events and slash and totals):
        raise InvalidArgument(f"--counts {text}: write NAME=EVENTS/TOTALS, such as errors=failed/requests")
    return Counted(name.strip(), events.strip(), totals.strip())


def _default(comparison: Comparison) -> str:
    counted = any(series.canary.events is not None for series in comparison.series)
    return WITH_COUNTS if counted else WITHOUT_COUNTS


def _plain(verdict: Verdict) -> Mapping[str, Any]:
    """Return a verdict as JSON can hold it: what is not finite becomes null."""
    plain: Mapping[str, Any] = json.loads(verdict.model_dump_json())
    return {**plain, "metrics": list(verdict.metrics)}


def _show(verdict: Verdict) -> None:
    results().print(Text(f"{verdict.judge}: {verdict.sentence}", style=f"bold {COLOURS[verdict.outcome]}"))
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("metric", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("evidence")
    for finding in verdict.findings:
        table.add_row(finding.metric, Text(finding.outcome, style=COLOURS[finding.outcome]), _evidence(finding))
    results().print(table)


def _evidence(finding: Finding) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:.4g}" for name, value in finding.figures.items()) or "none"
