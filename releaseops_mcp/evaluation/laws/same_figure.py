"""The first law: the figure that was seen live, the stored one and the one re-computed from the log are the same."""

from collections.abc import Callable

from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.rescore import Unscored, latest_score, rescored
from releaseops_mcp.audit.rescore import same_figure as same_score
from releaseops_mcp.evaluation.laws.base import Finding
from releaseops_mcp.evaluation.runs import Figure, Run
from releaseops_mcp.log.logged import read_episode
from releaseops_mcp.log.store import Store

STATEMENT = "The same trajectory has the same figure, live and re-scored."


def same_figure(arena: Arena, run: Run, tick: Callable[[], None] | None = None) -> Finding:
    """Re-score every scored episode of a run from its log and its truth, and compare."""
    compared, different = 0, list[str]()
    for figure in run.figures:
        if figure.reward is not None:
            compared += 1
            if not agrees(arena.store, figure):
                different.append(figure.episode_id)
        if tick is not None:
            tick()
    evidence = f"{compared} episodes re-scored from the log, {len(different)} with another figure than live"
    if different:
        evidence += f", the first of them {different[0]}"
    return Finding(
        suite=run.tables.suite,
        law="same-figure",
        statement=STATEMENT,
        verdict="broken" if different else "holds",
        evidence=f"{evidence}.",
        figures={"episodes": compared, "different": len(different), "first": different[:5]},
    )


def agrees(store: Store, figure: Figure) -> bool:
    """Return whether the live figure, the stored score and a fresh fold over the log are one."""
    row = store.episode(figure.episode_id)
    if row is None:
        return False
    episode = read_episode(store, row)
    again, stored = rescored(episode), latest_score(store, episode)
    if isinstance(again, Unscored) or stored is None:
        return False
    return figure.reward == again.total and same_score(stored, again)
