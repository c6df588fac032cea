"""An evaluation as tables: rewards by family, how episodes ended, and the laws."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.laws.base import Finding, Verdict
from releaseops_mcp.evaluation.tables import ALL, Row

NOTHING = "-"
COLOURS: dict[Verdict, str] = {"holds": "green", "broken": "red", "not applicable": "dim"}


def scorecard(rows: Sequence[Row]) -> RenderableType:
    """Return one suite's rows as two tables, a line a supervisor."""
    marked = [Text("* degenerate: needs no judgement", style="dim")] if any(row.degenerate for row in rows) else []
    return Group(_rewards(rows), Text(), _endings(rows), *marked, Text())


def findings_table(findings: Sequence[Finding]) -> RenderableType:
    """Return the laws with their verdicts and what was measured."""
    table = Table(
        title="laws of the reward",
        title_justify="left",
        title_style="bold",
        box=None,
        show_header=False,
        padding=(0, 2, 0, 0),
    )
    table.add_column(no_wrap=True)
    table.add_column()
    for finding in findings:
        verdict = Text(finding.verdict, style=f"bold {COLOURS[finding.verdict]}")
        table.add_row(verdict, Text.assemble((finding.statement, "bold"), "\n", finding.evidence))
    return table


def left_out(rows: Sequence[Row], faults: Sequence[Played]) -> Iterator[Text]:
    """Yield a line for each supervisor with stopped episodes, and for each unscored episode: no mean counts them."""
    for row in _overall(rows):
        if row.truncated:
            text = f"{row.agent}: {row.truncated} of {row.episodes} episodes were stopped at the limit of calls"
            yield Text(f"{text} and are left out of its means", style="yellow")
    for played in faults:
        yield Text(f"{played.agent} on {played.scenario} is unscored: {played.fault}", style="yellow")


def _rewards(rows: Sequence[Row]) -> Table:
    families = [family for family in dict.fromkeys(row.family for row in rows) if family != ALL]
    table = Table(
        title=f"{rows[0].suite}: mean reward", title_justify="left", title_style="bold", box=None, header_style="dim"
    )
    table.add_column("supervisor", no_wrap=True)
    for heading in ("all", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for family in families:
        table.add_column(family.replace("_", " "), justify="right")
    for row in _overall(rows):
        means = {other.family: other.mean for other in rows if other.agent == row.agent}
        cells = (_number(means.get(family)) for family in families)
        table.add_row(_name(row), Text(_number(row.mean), style="bold"), _interval(row), *cells)
    return table


def _endings(rows: Sequence[Row]) -> Table:
    overall = _overall(rows)
    reasons = list(dict.fromkeys(reason for row in overall for reason in row.outcomes))
    table = Table(
        title="how the episodes ended", title_justify="left", title_style="bold", box=None, header_style="dim"
    )
    table.add_column("supervisor", no_wrap=True)
    for heading in ("episodes", *(reason.replace("_", " ") for reason in reasons), "refused", "steps", "left out"):
        table.add_column(heading, justify="right", max_width=12)
    for row in overall:
        shares = (f"{row.outcomes[reason]:.0%}" if reason in row.outcomes else NOTHING for reason in reasons)
        refused = NOTHING if row.invalid_rate is None else f"{row.invalid_rate:.0%}"
        steps = NOTHING if row.steps_mean is None else f"{row.steps_mean:.1f}"
        table.add_row(_name(row), str(row.episodes), *shares, refused, steps, str(row.episodes - row.scored or NOTHING))
    return table


def _overall(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.family == ALL]


def _name(row: Row) -> Text:
    return Text(f"{row.agent} *" if row.degenerate else row.agent, style="dim" if row.degenerate else "")


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.4f}"


def _interval(row: Row) -> str:
    return NOTHING if row.ci95 is None else f"{row.ci95[0]:.3f} .. {row.ci95[1]:.3f}"
