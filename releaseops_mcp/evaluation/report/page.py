"""The whole page."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from releaseops_mcp import __version__
from releaseops_mcp.evaluation.measures import measures_of
from releaseops_mcp.evaluation.paired import RULE
from releaseops_mcp.evaluation.report import sections
from releaseops_mcp.evaluation.report.markup import Markup, element, joined
from releaseops_mcp.evaluation.report.reading import chosen, reading
from releaseops_mcp.evaluation.report.source import Source
from releaseops_mcp.evaluation.summary import Summary
from releaseops_mcp.evaluation.tables import DENOMINATORS
from releaseops_mcp.evaluation.worth import Worth

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What an agent wrote can load nothing and run nothing, should any of it ever get through unescaped."""


def page(sources: Sequence[Source]) -> str:
    """Return one self-contained page on one or several runs; raises the errors of their logs."""
    title = f"ReleaseOps evaluation: {', '.join(source.name for source in sources)}"
    head = joined(
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", title),
        element("style", Markup(_style())),
    )
    body = joined(_header(title, sources), element("main", *_parts(sources)), _footer(sources))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


@cache
def _style() -> str:
    return (files(__package__ or "") / "style.css").read_text(encoding="utf-8")


def _header(title: str, sources: Sequence[Source]) -> Markup:
    links = (
        element(
            "a",
            summary.suite if len(sources) == 1 else f"{source.name}: {summary.suite}",
            href=f"#{_anchor(source, summary)}",
        )
        for source in sources
        for summary in source.summaries
    )
    episodes = sum(row.episodes for source in sources for each in source.summaries for row in sections.overall(each))
    return element(
        "header",
        element("h1", title),
        element(
            "p", f"{episodes:,} episodes, every one logged, chained and scored by one reward module.", class_="dim"
        ),
        element("nav", *links, aria_label="suites"),
        element("p", DENOMINATORS, class_="rule"),
    )


def _parts(sources: Sequence[Source]) -> Iterator[Markup]:
    for source in sources:
        worth = chosen(source)
        for summary in source.summaries:
            name = summary.suite if len(sources) == 1 else f"{source.name}: {summary.suite}"
            yield element("section", *_suite(source, summary, worth[summary.suite], name), id=_anchor(source, summary))


def _suite(source: Source, summary: Summary, worth: Worth, name: str) -> Iterator[Markup]:
    yield element("h2", name)
    yield sections.headline(summary)
    rule = measures_of(summary.suite).success_rule
    if rule:
        yield element("p", f"A pass: {rule}.", class_="dim")
    yield from sections.standings(summary)
    yield from sections.places(summary)
    yield from sections.breakdowns(summary)
    yield from sections.endings(summary)
    yield from sections.confidence(summary)
    yield from sections.watch(summary)
    yield from reading(source, summary, worth)
    yield from sections.laws(summary)
    yield from sections.lost(summary)


def _footer(sources: Sequence[Source]) -> Markup:
    manifests = (
        element(
            "details",
            element("summary", f"what the figures of {source.name} depend on"),
            element("pre", source.manifest.model_dump_json(indent=1)),
            class_="plain",
        )
        for source in sources
        if source.manifest is not None
    )
    return element("footer", element("p", RULE), *manifests, element("p", f"releaseops-arena {__version__}"))


def _anchor(source: Source, summary: Summary) -> str:
    return "".join(char if char.isalnum() else "-" for char in f"{source.name}-{summary.suite}")
