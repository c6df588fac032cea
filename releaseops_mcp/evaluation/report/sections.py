"""The sections on one suite: how good, where, how they ended, how they got there, and what was not counted."""

from collections.abc import Callable, Iterator

from releaseops_mcp.evaluation.breakdown import Line
from releaseops_mcp.evaluation.flags import MEANINGS
from releaseops_mcp.evaluation.report.charts import Mark, calibration, forest, stacked
from releaseops_mcp.evaluation.report.grids import heat, judgement, table
from releaseops_mcp.evaluation.report.markup import NONE, Markup, element, number, share, span
from releaseops_mcp.evaluation.summary import Summary
from releaseops_mcp.evaluation.tables import ALL, Row

MOST_OUTCOMES = 8


def overall(summary: Summary) -> list[Row]:
    """Return the rows over all families, the best mean first."""
    rows = [row for row in summary.rows if row.family == ALL]
    return sorted(rows, key=lambda row: -(row.mean if row.mean is not None else float("-inf")))


def headline(summary: Summary) -> Markup:
    """Return the suite's result in a sentence or two."""
    judging = [row for row in overall(summary) if not row.degenerate and row.mean is not None]
    if not judging:
        return element("p", "No agent that judges has a scored episode here.", class_="headline")
    best = judging[0]
    said = f"{best.agent} earns {number(best.mean)} on average"
    said += f" (95 % interval {span(best.ci95)})" if best.ci95 else ""
    said += f" over {best.scored} scored episodes" + (f", and passes {share(best.pass_at_1)}" if best.pass_hat else "")
    lazy = _laziest(summary)
    if lazy is not None and best.mean is not None:
        name, mean = lazy
        verb = "still beats it" if mean > best.mean else "stays below"
        said += f". The best policy without any judgement, {name}, {verb} at {number(mean)}"
    return element("p", f"{said}.", class_="headline")


def standings(summary: Summary) -> Iterator[Markup]:
    """Yield the chart and the table of all agents and yardsticks."""
    yield element("h3", "How good")
    yield forest(f"{summary.suite}: mean reward with 95 % intervals", _marks(summary))
    yield _legend()
    yield judgement(overall(summary))
    yield from _differences(summary)


def places(summary: Summary) -> Iterator[Markup]:
    """Yield the figures by family, and by kind where there are any."""
    for title, rows in (("Where: mean reward by family", summary.rows), ("Where: by kind", summary.kinds)):
        if rows:
            yield element("h3", title)
            yield heat(rows, summary.yardsticks if rows is summary.rows else ())


def breakdowns(summary: Summary) -> Iterator[Markup]:
    """Yield the agents by every group that the suite names: mean reward, and right decisions, with their intervals."""
    for by in dict.fromkeys(line.by for line in summary.breakdown):
        lines = [line for line in summary.breakdown if line.by == by]
        yield element("h3", f"Agents by {by}")
        for what, cell in (
            ("mean reward (95 % interval), episodes", _mean_cell),
            ("right decisions (95 % interval), decisions", _right_cell),
        ):
            if any(cell(line) != NONE for line in lines):
                yield _broken_down(f"{what}, by {by}", by, lines, cell)


def endings(summary: Summary) -> Iterator[Markup]:
    """Yield how the episodes ended."""
    rows = [row for row in overall(summary) if row.outcomes]
    names = list(dict.fromkeys(name for row in rows for name in sorted(row.outcomes, key=lambda k: -row.outcomes[k])))
    if not rows:
        return
    yield element("h3", "How the episodes ended")
    keys = (
        element("span", element("i", class_=f"c{place % 8}"), _said(name), class_="key")
        for place, name in enumerate(names)
    )
    yield element("p", *keys)
    yield stacked(f"{summary.suite}: how episodes ended", {row.agent: row.outcomes for row in rows}, names)


def confidence(summary: Summary) -> Iterator[Markup]:
    """Yield one chart for each agent whose decisions carried a confidence."""
    for row in overall(summary):
        if row.calibration:
            yield element("h3", f"Is {row.agent} as sure as it should be? Brier {number(row.brier)}")
            yield calibration(f"calibration of {row.agent}", row.calibration)


def watch(summary: Summary) -> Iterator[Markup]:
    """Yield the flags of the reward-hacking watch."""
    rows = [row for row in overall(summary) if row.flags]
    names = [name for name in MEANINGS if any(name in row.flags for row in rows)]
    yield element("h3", "Reward-hacking watch")
    if not names:
        yield element("p", "No pattern that is watched for was seen.")
        return
    yield table(
        "share of the scored episodes that raise each flag",
        ["agent", *names],
        [
            ([row.agent, *(share(row.flags[name]) if name in row.flags else NONE for name in names)], row.degenerate)
            for row in rows
        ],
    )
    yield element("ul", *(element("li", element("b", name), f": {MEANINGS[name]}") for name in names), class_="dim")


def lost(summary: Summary) -> Iterator[Markup]:
    """Yield the episodes that entered no mean."""
    if not summary.not_counted:
        return
    count = sum(row.episodes - row.scored for row in overall(summary))
    cells = [
        ([each.agent, each.why, each.scenario, each.fault or "stopped at the limit of calls"], False)
        for each in summary.not_counted
    ]
    yield element(
        "details",
        element("summary", f"{count} episodes are not in any mean"),
        table("", ["agent", "why", "scenario", "fault"], cells, text=True),
        class_="plain",
    )


def laws(summary: Summary) -> Iterator[Markup]:
    """Yield what was measured of the laws of the reward."""
    if summary.laws:
        yield element("h3", "Laws of the reward")
        items = (
            element("dt", law.verdict, class_=f"verdict {law.verdict.split()[0]}")
            + element("dd", element("b", law.statement), " ", law.evidence)
            for law in summary.laws
        )
        yield element("dl", *map(Markup, items), class_="laws")


def _broken_down(caption: str, by: str, lines: list[Line], cell: Callable[[Line], str]) -> Markup:
    """Return a table of groups by agents, those that judge first."""
    agents = sorted(dict.fromkeys((line.degenerate, line.agent) for line in lines), key=lambda each: each[0])
    found = {(line.name, line.agent): cell(line) for line in lines}
    groups = [name for name in dict.fromkeys(line.name for line in lines)]
    shown = [(name, [found.get((name, agent), NONE) for _, agent in agents]) for name in groups]
    kept = (([name, *cells], False) for name, cells in shown if set(cells) != {NONE})
    return table(caption, [by, *(agent for _, agent in agents)], kept)


def _mean_cell(line: Line) -> str:
    if line.mean is None:
        return NONE
    return f"{number(line.mean, 2)}{f' ({span(line.ci95)})' if line.ci95 else ''}, {line.scored}"


def _right_cell(line: Line) -> str:
    if line.right is None:
        return NONE
    between = f" ({share(line.right_ci95[0])} to {share(line.right_ci95[1])})" if line.right_ci95 else ""
    return f"{share(line.right)}{between}, {line.decisions}"


def _marks(summary: Summary) -> list[Mark]:
    rows = [row for row in overall(summary) if row.mean is not None]
    marks = [Mark(row.agent, row.mean or 0.0, row.ci95, _role(row, summary.reference)) for row in rows]
    marks += [Mark(stick.name, stick.mean, stick.ci95, stick.role) for stick in summary.yardsticks]
    return sorted(marks, key=lambda mark: -mark.value) or [Mark("nobody", 0.0, None, "degenerate")]


def _role(row: Row, reference: str) -> str:
    return "degenerate" if row.degenerate else "reference" if row.agent == reference else "agent"


def _laziest(summary: Summary) -> tuple[str, float] | None:
    found = [(row.agent, row.mean) for row in overall(summary) if row.degenerate and row.mean is not None]
    found += [(stick.name, stick.mean) for stick in summary.yardsticks if stick.role == "degenerate"]
    return max(found, key=lambda each: each[1], default=None)


def _differences(summary: Summary) -> Iterator[Markup]:
    degenerate = {row.agent for row in summary.rows if row.degenerate}
    shown = [each for each in summary.differences if each.family == ALL and each.difference is not None]
    shown = [each for each in shown if each.agent not in degenerate]
    if not shown:
        return
    yield element("h3", f"Against the reference, {summary.reference}, on the same scenarios")
    marks = [Mark(each.agent, each.difference or 0.0, each.ci95, "agent") for each in shown]
    yield forest(f"difference from {summary.reference}", marks, zero=True)
    yield element("ul", *(element("li", each.sentence) for each in shown))


def _legend() -> Markup:
    said = "Points are means, lines 95 % intervals. Diamond: the reference. Hollow: needs no judgement."
    return element("p", said, class_="dim")


def _said(name: str) -> str:
    return name.replace("_", " ")
