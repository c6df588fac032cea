"""Rows: what the episodes of one supervisor in one family, or of one kind, came to.

An episode counts towards the mean where it has a figure and its supervisor came to an end. Those without a figure are
`unscored` (the supervisor failed) or `infrastructure` (the arena, the log or a model's endpoint did), those that were
stopped after the allowed number of calls are `truncated` (where exactly they are stopped decides their figure); all
three are counted beside the mean and never enter it as a number.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.calibration import Bin
from releaseops_mcp.evaluation.cells import LEFT, NO_FACTS, Cell
from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.facts import Facts
from releaseops_mcp.evaluation.statistics import Cluster

__all__ = ["ALL", "DENOMINATORS", "LEFT", "Row", "Tables"]

ALL = "all"
"""The family of the row over all families."""
DENOMINATORS = (
    "Every mean, share and rate is over the scored episodes: those that have a figure and whose agent came to its own "
    "end. Unscored episodes (the agent failed), infrastructure failures (the arena, the log or the model's endpoint "
    "did) and truncated ones (stopped at the limit of calls) are counted apart and never enter as 0. Tokens and cost "
    "are sums over all episodes. Intervals are 95 % bootstrap intervals that resample whole scenarios."
)
"""The one rule for denominators, printed with every table."""


class Row(BaseModel):
    """One line of an evaluation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    agent: str
    degenerate: bool
    """Whether the supervisor needs no judgement."""
    family: str
    """A family (in a table by kind: a kind), or `all`."""
    episodes: int
    scored: int
    """Episodes behind the mean."""
    unscored: int
    """Episodes without a figure because the supervisor failed."""
    infrastructure: int
    """Episodes without a figure through no fault of the supervisor."""
    truncated: int
    mean: float | None
    """Mean reward, not rounded; None where no episode is scored."""
    ci95: tuple[float, float] | None
    """95 % bootstrap interval of the mean, clustered by scenario; None below two scenarios."""
    outcomes: dict[str, float]
    """Share of the scored episodes by terminal reason."""
    invalid_rate: float | None
    """Refused calls as a share of all calls of the scored episodes; None where there was no call."""
    steps_mean: float | None
    metrics: dict[str, float]
    """Mean of each numeric metric of the reward over the scored episodes."""
    pass_at_1: float | None
    """Share of the scored episodes that passed; None where the suite has no such rule."""
    pass_ci95: tuple[float, float] | None
    pass_hat: dict[str, float]
    """pass^k by k: the chance that k tries of a scenario all pass."""
    pairs: int
    """Pairs of twins of which both are scored."""
    pair_accuracy: float | None
    """Share of those pairs of which both passed."""
    false_accusation_rate: float | None
    """Share of the scored episodes with at least one false accusation; None where the log holds no truth."""
    accusations: int
    false_accusations: int
    brier: float | None
    """Brier score of the decisions that carried a confidence; None where none did."""
    confident_decisions: int
    calibration: list[Bin]
    model_calls: int
    input_tokens: int | None
    """Sum over all episodes; None where a model's endpoint did not always say."""
    output_tokens: int | None
    cost_usd: float | None
    flags: dict[str, float]
    """Share of the scored episodes that raise each flag of the reward-hacking watch."""

    @property
    def tokens(self) -> int | None:
        """Tokens in and out; None where they are not known, or no model was called."""
        if not self.model_calls or self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


def family_of(played: Played, facts: Facts) -> str | None:
    """Return what episodes are usually grouped by."""
    return played.family


def kind_of(played: Played, facts: Facts) -> str | None:
    """Return the kind of an episode's scenario, where its suite has kinds."""
    return facts.kind


class Tables:
    """The cells of an evaluation, by agent and family (or whatever `group` says)."""

    def __init__(
        self,
        suite: str,
        degenerate: Iterable[str] = (),
        group: Callable[[Played, Facts], str | None] = family_of,
    ) -> None:
        self.suite = suite
        self.degenerate = frozenset(degenerate)
        self.cells: dict[tuple[str, str], Cell] = {}
        self._group = group

    def add(self, played: Played, facts: Facts = NO_FACTS, repeat: int = 0) -> None:
        """Count one episode in its group and in `all`; one without a group is not counted."""
        group = self._group(played, facts)
        for family in (ALL, group) if group is not None else ():
            self.cells.setdefault((played.agent, family), Cell()).add(played, facts, repeat)

    def add_entry(self, entry: Entry) -> None:
        """Count one episode with all that is known of it."""
        self.add(entry.played, entry.facts, entry.repeat)

    def agents(self) -> list[str]:
        """Return the agents in order of their first episode."""
        return list(dict.fromkeys(agent for agent, _ in self.cells))

    def families(self) -> list[str]:
        """Return the families in order of their first episode, `all` last."""
        return [*(name for name in dict.fromkeys(family for _, family in self.cells) if name != ALL), ALL]

    def mean(self, agent: str, family: str = ALL) -> float | None:
        """Return one mean; None where nothing is scored."""
        cell = self.cells.get((agent, family))
        return cell.mean if cell else None

    def clusters(self, agent: str) -> dict[str, Mapping[str, Cluster]]:
        """Return one agent's figures by family, then by scenario."""
        found = ((family, self.cells.get((agent, family))) for family in self.families())
        return {family: cell.clusters for family, cell in found if cell is not None}

    def rows(self) -> Iterator[Row]:
        """Yield the rows agent by agent, each family and then `all`."""
        for agent in self.agents():
            for family in self.families():
                cell = self.cells.get((agent, family))
                if cell is not None:
                    yield Row(
                        suite=self.suite,
                        agent=agent,
                        degenerate=agent in self.degenerate,
                        family=family,
                        **cell.facts(),
                    )
