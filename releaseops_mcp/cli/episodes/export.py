"""`releaseops episodes export`: JSON lines with the chain, ATIF trajectories, or OpenTelemetry spans."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from releaseops_mcp import canonical
from releaseops_mcp.audit.rescore import latest_score
from releaseops_mcp.cli.episodes.finding import chosen_episodes
from releaseops_mcp.cli.options import Out
from releaseops_mcp.cli.output import counted_bar, note
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.log.atif import to_atif
from releaseops_mcp.log.export import Progress, export_lines, write_export
from releaseops_mcp.log.genai import to_trace
from releaseops_mcp.log.logged import DatabaseLog, LoggedEpisode
from releaseops_mcp.log.rows import EpisodeFilter, ScoreDraft, ScoreRow
from releaseops_mcp.log.spans import Trace
from releaseops_mcp.log.store import Store
from releaseops_mcp.telemetry.lines import trace_line

Told = tuple[LoggedEpisode, ScoreDraft | None]
"""An episode and its latest score."""


class Format(StrEnum):
    """How an export is written."""

    JSONL = "jsonl"
    ATIF = "atif"
    OTEL = "otel"


HELP = "jsonl: every event with its chain; atif: a trajectory a line; otel: GenAI spans, an episode a line."


def export(
    context: typer.Context,
    episodes: Annotated[list[str] | None, typer.Argument(help="Ids; without any, the whole log.")] = None,
    form: Annotated[Format, typer.Option("--format", help=HELP)] = Format.JSONL,
    with_truth: Annotated[
        bool, typer.Option("--with-truth", help="Add what a scorer needs; never for an agent's eyes.")
    ] = False,
    with_content: Annotated[
        bool, typer.Option("--with-content", help="Spans also hold what the agent sent and read.")
    ] = False,
    endpoint: Annotated[
        str, typer.Option("--endpoint", help="Send the spans to this OTLP/HTTP collector, in place of a file.")
    ] = "",
    out: Out = None,
) -> None:
    """Export episodes, to standard output, a file or a collector."""
    store = session_of(context).store
    chosen = chosen_episodes(store, episodes or [])
    _refuse_nonsense(
        form, with_truth=with_truth, spans_only=with_content or bool(endpoint), twice=bool(endpoint and out)
    )
    if endpoint:
        _send(endpoint, store, chosen, with_content=with_content)
        return
    line_of = _lines_of(form, with_content=with_content)
    if out is None:
        for line in (
            map(line_of, _told(store, chosen)) if line_of else export_lines(store, chosen, with_truth=with_truth)
        ):
            typer.echo(line)
        return
    with counted_bar("exporting") as move:
        if line_of:
            _write(out, map(line_of, _told(store, chosen, move)))
        else:
            write_export(store, out, chosen, with_truth=with_truth, progress=move)
    note(f"written to {out}")


def _refuse_nonsense(form: Format, *, with_truth: bool, spans_only: bool, twice: bool) -> None:
    if form is not Format.JSONL and with_truth:
        what = "an ATIF trajectory" if form is Format.ATIF else "an OpenTelemetry span"
        raise InvalidArgument(f"{what} holds no truth: use --format jsonl with --with-truth")
    if form is not Format.OTEL and spans_only:
        raise InvalidArgument("only spans have --endpoint and --with-content: use --format otel with them")
    if twice:
        raise InvalidArgument("spans go to a collector or to a file: give --endpoint or --out, not both")


def _lines_of(form: Format, *, with_content: bool) -> Callable[[Told], str] | None:
    """Return how one episode becomes a line; None for the log's own lines, of which an episode has many."""
    lines: dict[Format, Callable[[Told], str]] = {
        Format.ATIF: lambda told: canonical.dumps(to_atif(*told)),
        Format.OTEL: lambda told: trace_line(to_trace(*told, with_content=with_content)),
    }
    return lines.get(form)


def _send(endpoint: str, store: Store, chosen: EpisodeFilter | None, *, with_content: bool) -> None:
    """Send the spans of the chosen episodes to a collector."""
    try:
        from releaseops_mcp.telemetry.sdk import collector, send
    except ImportError as error:
        raise InvalidArgument(
            "sending spans needs the extra otel: pip install 'releaseops-arena[otel]', "
            "or write them to a file with --out, which needs nothing"
        ) from error

    exporter = collector(endpoint)
    try:
        with counted_bar("sending") as move:
            traces: Iterator[Trace] = (
                to_trace(*told, with_content=with_content) for told in _told(store, chosen, move)
            )
            spans = send(traces, exporter)
    finally:
        exporter.shutdown()
    note(f"{spans} spans sent to {endpoint}")


def _told(store: Store, chosen: EpisodeFilter | None, progress: Progress = lambda done, total: None) -> Iterator[Told]:
    log = DatabaseLog(store, chosen)
    total = log.total()
    for done, episode in enumerate(log.episodes(), 1):
        yield episode, _draft(latest_score(store, episode))
        progress(done, total)


def _draft(score: ScoreRow | None) -> ScoreDraft | None:
    if score is None:
        return None
    return ScoreDraft(score.reward_id, score.version, score.code_hash, score.total, score.body)


def _write(path: Path, lines: Iterator[str]) -> None:
    """Write lines to a file that gets its name when it is complete."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    with unfinished.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
    unfinished.replace(path)
