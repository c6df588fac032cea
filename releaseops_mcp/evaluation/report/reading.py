"""The episodes worth reading, side by side with what the reference, or the twin, came to."""

from collections.abc import Iterator, Mapping

from releaseops_mcp.agents.registry import supervisors
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.exported import find_episodes
from releaseops_mcp.evaluation.rehearsal import rehearse
from releaseops_mcp.evaluation.report.markup import Markup, element, number
from releaseops_mcp.evaluation.report.source import Source
from releaseops_mcp.evaluation.report.transcripts import transcript
from releaseops_mcp.evaluation.summary import Summary
from releaseops_mcp.evaluation.tables import ALL
from releaseops_mcp.evaluation.trajectory import Trajectory, trajectory_of
from releaseops_mcp.evaluation.worth import FailedPair, Regret, Worth


def chosen(source: Source) -> dict[str, Worth]:
    """Choose the episodes worth reading, by suite, in one walk over a source's episodes."""
    figures = {summary.suite: _reference_figures(source, summary) for summary in source.summaries}
    found = {
        summary.suite: Worth(
            summary.reference, figures[summary.suite], [row.agent for row in summary.rows if row.degenerate]
        )
        for summary in source.summaries
    }
    for entry in source.entries():
        found[entry.played.suite].look(entry)
    return found


def reading(source: Source, summary: Summary, worth: Worth) -> Iterator[Markup]:
    """Yield the worst regrets and the failed pairs of one suite, with their transcripts."""
    regrets, pairs = worth.regrets(), worth.failed_pairs()
    wanted = {each.entry.played.episode_id for each in regrets} | {each.counterpart for each in regrets}
    wanted |= {entry.played.episode_id for pair in pairs for entry in pair}
    known = find_episodes(source.log, wanted - {""}) if wanted - {""} and source.log.exists() else {}
    read = {episode: trajectory_of(logged) for episode, logged in known.items()}
    if regrets:
        yield element("h3", f"Worth reading: the worst regrets against {summary.reference}")
        yield from (_regret(each, summary.reference, read, unfold=each is regrets[0]) for each in regrets)
    if pairs:
        yield element("h3", "Worth reading: twins that were not told apart")
        yield from (_pair(pair, read) for pair in pairs)


def _reference_figures(source: Source, summary: Summary) -> dict[str, float]:
    """Return the reference's mean figure by scenario: of the yardstick, or else of the agent of that name."""
    for stick in summary.yardsticks:
        if stick.name == summary.reference:
            return stick.figures
    if not any(row.agent == summary.reference for row in summary.rows if row.family == ALL):
        return {}
    sums: dict[str, tuple[float, int]] = {}
    for entry in source.entries():
        played = entry.played
        if (played.suite, played.agent) == (summary.suite, summary.reference) and played.reward is not None:
            total, count = sums.get(played.scenario, (0.0, 0))
            sums[played.scenario] = (total + played.reward, count + 1)
    return {scenario: total / count for scenario, (total, count) in sums.items()}


def _regret(each: Regret, reference: str, read: Mapping[str, Trajectory], *, unfold: bool) -> Markup:
    played = each.entry.played
    said = f"{played.agent} on {played.scenario}: {number(each.regret)} less than {reference}"
    theirs = read.get(each.counterpart) or _rehearsed(reference, played.suite, played.scenario)
    blocks = [_block(each.entry, read, unfold=unfold)]
    if theirs is not None:
        blocks.append(transcript(reference, theirs, total=each.reference_figure, unfold=unfold))
    return element("section", element("p", said), element("div", *blocks, class_="pair"))


def _pair(pair: FailedPair, read: Mapping[str, Trajectory]) -> Markup:
    said = f"{pair.original.played.agent} on {pair.original.played.scenario} and its twin"
    blocks = (_block(entry, read, "passed" if entry.facts.passed else "failed") for entry in pair)
    return element("section", element("p", said), element("div", *blocks, class_="pair"))


def _block(entry: Entry, read: Mapping[str, Trajectory], ending: str = "", *, unfold: bool = False) -> Markup:
    played = entry.played
    heading = f"{played.agent}{f' ({ending})' if ending else ''}"
    found = read.get(played.episode_id)
    if found is None:
        return element("p", f"{heading}: {number(played.reward)}; episode {played.episode_id} is not in the log here.")
    return transcript(heading, found, total=played.reward, unfold=unfold)


def _rehearsed(reference: str, suite: str, scenario: str) -> Trajectory | None:
    supervisor = supervisors().get((reference, suite))
    return rehearse(supervisor, scenario) if supervisor is not None and suite in suites() else None
