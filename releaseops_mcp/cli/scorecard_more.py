"""The second half of a scorecard: passes, accusations, spending, yardsticks, differences and flags."""

from collections.abc import Callable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from releaseops_mcp.evaluation.summary import Summary
from releaseops_mcp.evaluation.tables import ALL, DENOMINATORS, Row

NOTHING = "-"


def more(summary: Summary) -> RenderableType:
    """Return what a row holds beside its mean, and what stands beside the rows."""
    rows = [row for row in summary.rows if row.family == ALL]
    return Group(
        _judgement(rows), Text(), *_yardsticks(summary), *_differences(summary), *_flags(rows), _rule(), Text()
    )


def _judgement(rows: list[Row]) -> Table:
    table = _table("passes, accusations, what it cost")
    most = max((int(k) for row in rows for k in row.pass_hat), default=1)
    columns: dict[str, Callable[[Row], str]] = {
        "pass@1": lambda row: _share(row.pass_at_1),
        **({f"pass^{most}": lambda row: _share(row.pass_hat.get(str(most)))} if most > 1 else {}),
        "falsely accused": lambda row: _share(row.false_accusation_rate),
        "pairs right": lambda row: _share(row.pair_accuracy),
        "Brier": lambda row: NOTHING if row.brier is None else f"{row.brier:.3f}",
        "tokens": lambda row: NOTHING if row.tokens is None else f"{row.tokens:,}",
        "cost $": lambda row: NOTHING if row.cost_usd is None else f"{row.cost_usd:.4f}",
    }
    shown = {name: cell for name, cell in columns.items() if any(cell(row) != NOTHING for row in rows)}
    for name in shown:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(f"{row.agent} *" if row.degenerate else row.agent, *(cell(row) for cell in shown.values()))
    return table


def _yardsticks(summary: Summary) -> Iterator[RenderableType]:
    if summary.yardsticks:
        table = _table("yardsticks on the same scenarios (played in memory)")
        table.add_column("all", justify="right")
        table.add_column("role")
        for stick in sorted(summary.yardsticks, key=lambda each: -each.mean):
            table.add_row(stick.name, f"{stick.mean:.4f}", stick.role, style="dim")
        yield table
        yield Text()


def _differences(summary: Summary) -> Iterator[RenderableType]:
    degenerate = {row.agent for row in summary.rows if row.degenerate}
    for difference in summary.differences:
        if difference.family == ALL and difference.agent not in degenerate:
            yield Text(difference.sentence)


def _flags(rows: list[Row]) -> Iterator[RenderableType]:
    for row in rows:
        if row.flags and not row.degenerate:
            flags = ", ".join(f"{name} {share:.0%}" for name, share in row.flags.items())
            yield Text(f"watch {row.agent}: {flags}", style="yellow")


def _rule() -> Text:
    return Text(DENOMINATORS, style="dim")


def _table(title: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style="dim")
    table.add_column("supervisor", no_wrap=True)
    return table


def _share(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.0%}"
