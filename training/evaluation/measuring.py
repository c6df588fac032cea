"""Turns played games into a column of figures."""

from collections import Counter
from collections.abc import Iterable, Sequence

from releaseops_mcp.evaluation.statistics import Cluster, interval
from releaseops_mcp.evaluation.tables import ALL
from releaseops_mcp.evaluation.yardsticks import Yardstick
from training.evaluation.games import Game
from training.evaluation.results import Column, Outcome, Row
from training.rollout_metrics import label


def outcome_of(game: Game) -> Outcome:
    """Return what one game came to; its seat has been left."""
    seat = game.seat
    return Outcome(
        episode=seat.episode_id,
        scenario=seat.scenario,
        family=seat.family,
        reward=None if seat.fault or seat.score is None else seat.score.total,
        answers=game.answers,
        unread=game.unread,
        calls=len(seat.actions),
        invalid=seat.invalid,
        finished=seat.done,
        actions=dict(Counter(label(seat.suite, action) for action in seat.actions)),
    )


def figures_of(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the fields of a trained policy's column that come from its episodes."""
    answers, calls = sum(each.answers for each in outcomes), sum(each.calls for each in outcomes)
    taken: Counter[str] = Counter()
    for each in outcomes:
        taken.update(each.actions)
    return {
        "rows": tuple(rows_of(outcomes)),
        "parse_rate": 1 - sum(each.unread for each in outcomes) / answers if answers else None,
        "invalid_rate": sum(each.invalid for each in outcomes) / calls if calls else None,
        "finished_rate": sum(each.finished for each in outcomes) / len(outcomes),
        "reward_error_rate": sum(each.reward is None for each in outcomes) / len(outcomes),
        "actions": {name: count / calls for name, count in sorted(taken.items())},
        "environment_calls": calls,
        "outcomes": tuple(outcomes),
    }


def rows_of(outcomes: Iterable[Outcome]) -> list[Row]:
    """Return the rows, `all` first."""
    families: dict[str, list[Outcome]] = {ALL: []}
    for each in outcomes:
        families[ALL].append(each)
        families.setdefault(each.family, []).append(each)
    return [_row(family, found) for family, found in families.items()]


def clusters_of(outcomes: Iterable[Outcome], family: str = ALL) -> dict[str, Cluster]:
    """Return the figures of each scenario, for intervals and for pairing."""
    found: dict[str, Cluster] = {}
    for each in outcomes:
        if each.reward is not None and family in (ALL, each.family):
            before = found.get(each.scenario, Cluster(0.0, 0))
            found[each.scenario] = Cluster(before.total + each.reward, before.episodes + 1)
    return found


def yardstick_column(stick: Yardstick, scenario_set: str, families: dict[str, str]) -> Column:
    """Return a scripted supervisor's figures, or the clairvoyant's, as a column; `families` by scenario."""
    outcomes = [
        Outcome(
            episode="",
            scenario=scenario,
            family=families[scenario],
            reward=figure,
            answers=0,
            unread=0,
            calls=0,
            invalid=0,
            finished=True,
            actions={},
        )
        for scenario, figure in stick.figures.items()
    ]
    return Column(
        suite=stick.suite,
        scenario_set=scenario_set,
        policy=stick.name,
        model="",
        temperature=None,
        role=stick.role,
        rows=tuple(rows_of(outcomes)),
        outcomes=tuple(outcomes),
    )


def _row(family: str, outcomes: Sequence[Outcome]) -> Row:
    clusters = clusters_of(outcomes)
    rewards = [each.reward for each in outcomes if each.reward is not None]
    return Row(
        family=family,
        episodes=len(outcomes),
        scenarios=len({each.scenario for each in outcomes}),
        scored=len(rewards),
        mean=sum(rewards) / len(rewards) if rewards else None,
        ci95=interval(list(clusters.values())),
    )
