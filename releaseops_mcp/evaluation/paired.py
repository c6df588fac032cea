"""Paired differences: two supervisors on the scenarios that both have played, and whether the difference is real."""

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.evaluation.statistics import Cluster, interval

Finding = Literal["better", "worse", "no difference shown"]
LEAST_SCENARIOS = 6
"""With fewer, all differences point one way by chance alone in more than 5 % of cases (two-sided sign test)."""
RULE = (
    "A difference is the mean, over the scenarios that both have scored episodes of, of the second's mean figure less "
    "the first's; it is called real where the 95 % bootstrap interval over those scenarios leaves 0 out and there are "
    f"at least {LEAST_SCENARIOS} of them. Families are looked at one by one, without a correction for looking often: "
    "trust `all` first."
)


class Difference(BaseModel):
    """How much better `agent` is than `other` on the scenarios that both have played."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    agent: str
    other: str
    family: str
    scenarios: int
    """Common scenarios."""
    agent_mean: float | None
    other_mean: float | None
    difference: float | None
    """Positive where `agent` is better; None where nothing is common."""
    ci95: tuple[float, float] | None
    """None below two common scenarios."""

    @property
    def finding(self) -> Finding:
        """Whether the interval leaves 0 out, and on which side, where there are enough scenarios to say so."""
        if self.ci95 is None or self.ci95[0] <= 0 <= self.ci95[1] or self.scenarios < LEAST_SCENARIOS:
            return "no difference shown"
        return "better" if self.ci95[0] > 0 else "worse"

    @property
    def sentence(self) -> str:
        """The verdict, for people."""
        if self.difference is None:
            return f"{self.agent} and {self.other} have no scored scenario in common: nothing can be said."
        if self.ci95 is None or self.scenarios < LEAST_SCENARIOS:
            few = f"{self.scenarios} scenario{'s' if self.scenarios > 1 else ''}"
            return f"{self.agent} and {self.other} share {few}: too few to tell a difference from chance."
        low, high = self.ci95
        figures = (
            f"{self.difference:+.4f} (95 % interval {low:+.4f} to {high:+.4f}) on {self.scenarios} common scenarios"
        )
        if self.finding == "no difference shown":
            return f"No real difference between {self.agent} and {self.other} is shown: {figures}."
        return f"{self.agent} is really {self.finding} than {self.other}: {figures}."


def paired(
    ours: Mapping[str, Cluster], theirs: Mapping[str, Cluster], *, suite: str, agent: str, other: str, family: str
) -> Difference:
    """Compare two supervisors' figures by scenario."""
    common = [scenario for scenario in ours if scenario in theirs]
    pairs = [(_mean(ours[scenario]), _mean(theirs[scenario])) for scenario in common]
    count = len(pairs)
    return Difference(
        suite=suite,
        agent=agent,
        other=other,
        family=family,
        scenarios=count,
        agent_mean=sum(our for our, _ in pairs) / count if count else None,
        other_mean=sum(their for _, their in pairs) / count if count else None,
        difference=sum(our - their for our, their in pairs) / count if count else None,
        ci95=interval([Cluster(our - their, 1) for our, their in pairs]),
    )


def by_family(
    ours: Mapping[str, Mapping[str, Cluster]],
    theirs: Mapping[str, Mapping[str, Cluster]],
    *,
    suite: str,
    agent: str,
    other: str,
) -> Iterator[Difference]:
    """Yield the difference in each family that both have played; clusters are by family, then by scenario."""
    for family in ours:
        if family in theirs:
            yield paired(ours[family], theirs[family], suite=suite, agent=agent, other=other, family=family)


def _mean(cluster: Cluster) -> float:
    return cluster.total / cluster.episodes
