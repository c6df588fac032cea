"""The tables of the report."""

from collections.abc import Callable, Iterable, Sequence

from releaseops_mcp.evaluation.report.markup import NONE, Markup, element, number, share, span
from releaseops_mcp.evaluation.tables import ALL, Row
from releaseops_mcp.evaluation.yardsticks import Yardstick

Line = tuple[Sequence[str], bool]
"""The cells of a line, and whether it is a degenerate supervisor's."""


def table(caption: str, head: Sequence[str], lines: Iterable[Line], *, text: bool = False) -> Markup:
    """Return a table whose first column names its lines; `text` sets the other columns as text."""
    cell = "text" if text else None
    body = (
        element(
            "tr",
            element("th", cells[0], scope="row"),
            *(element("td", each, class_=cell) for each in cells[1:]),
            class_="degenerate" if degenerate else None,
        )
        for cells, degenerate in lines
    )
    return scrolling(
        caption or "table",
        element(
            "table",
            element("caption", caption) if caption else "",
            element("thead", element("tr", *(element("th", name, scope="col") for name in head))),
            element("tbody", *body),
        ),
    )


def judgement(rows: Sequence[Row]) -> Markup:
    """Return what is known of each agent over all families; columns that nobody has are left out."""
    most = max((int(k) for row in rows for k in row.pass_hat), default=1)
    columns: dict[str, Callable[[Row], str]] = {
        "mean": lambda row: number(row.mean),
        "95 %": lambda row: span(row.ci95),
        "pass@1": lambda row: share(row.pass_at_1),
        **({f"pass^{most}": lambda row: share(row.pass_hat.get(str(most)))} if most > 1 else {}),
        "pairs right": lambda row: share(row.pair_accuracy),
        "falsely accused": lambda row: share(row.false_accusation_rate),
        "Brier": lambda row: number(row.brier),
        "calls": lambda row: number(row.steps_mean, 1),
        "refused": lambda row: share(row.invalid_rate),
        "tokens": lambda row: NONE if row.tokens is None else f"{row.tokens:,}",
        "cost $": lambda row: number(row.cost_usd, 4),
        "scored": lambda row: f"{row.scored} of {row.episodes}",
    }
    shown = {name: cell for name, cell in columns.items() if any(cell(row) != NONE for row in rows)}
    lines = [([row.agent, *(cell(row) for cell in shown.values())], row.degenerate) for row in rows]
    return table("", ["agent", *shown], lines)


def heat(rows: Sequence[Row], sticks: Sequence[Yardstick]) -> Markup:
    """Return means by family, greener where a mean is nearer to the best in the table, redder near the worst."""
    families = [name for name in dict.fromkeys(row.family for row in rows) if name != ALL]
    means: dict[str, dict[str, float | None]] = {}
    for row in rows:
        means.setdefault(row.agent, {})[row.family] = row.mean
    for stick in sticks:
        means[f"{stick.name} ({stick.role})"] = dict(stick.family_means())
    known = [value for found in means.values() for value in found.values() if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    overall = {agent: found.get(ALL) for agent, found in means.items()}
    ordered = sorted(means.items(), key=lambda item: _low_first(overall[item[0]]), reverse=True)
    dull = {row.agent for row in rows if row.degenerate}
    dull |= {f"{stick.name} ({stick.role})" for stick in sticks if stick.role == "degenerate"}
    body = (
        element(
            "tr",
            element("th", agent, scope="row"),
            *(_heated(found.get(family), low, high) for family in (*families, ALL)),
            class_="degenerate" if agent in dull else None,
        )
        for agent, found in ordered
    )
    head = element("tr", *(element("th", name.replace("_", " "), scope="col") for name in ("agent", *families, ALL)))
    return scrolling(
        "means by family", element("table", element("thead", head), element("tbody", *body), class_="heat")
    )


def scrolling(label: str, content: Markup) -> Markup:
    """Return something wide in a box that scrolls, with the keyboard too."""
    return element("div", content, class_="scroll", tabindex=0, role="region", aria_label=label)


def _low_first(mean: float | None) -> float:
    return float("-inf") if mean is None else mean


def _heated(value: float | None, low: float, high: float) -> Markup:
    if value is None:
        return element("td", NONE, class_="none")
    place = (value - low) / (high - low) if high > low else 1.0
    return element("td", number(value, 2), style=f"--v:{place:.2f}")
