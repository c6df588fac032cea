"""What an evaluation says, as frozen records; `results.json` is one `Evaluation`."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.evaluation.paired import Difference, Finding


class Outcome(BaseModel):
    """One episode."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    episode: str
    scenario: str
    family: str
    reward: float | None
    """None where the arena failed in it: that is no 0."""
    answers: int
    """What the model said, calls and other."""
    unread: int
    """Answers without a readable call."""
    calls: int
    """Calls that the world judged."""
    invalid: int
    """Refused ones among them."""
    finished: bool
    """Whether the world came to its end."""
    actions: dict[str, int]
    """How often each action was taken, such as `decide_rollout.hold`."""


class Row(BaseModel):
    """The episodes of one family, or of `all`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    family: str
    episodes: int
    scenarios: int
    scored: int
    mean: float | None
    ci95: tuple[float, float] | None
    """Over scenarios; None below two of them."""


class Column(BaseModel):
    """One policy on one set of scenarios."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    scenario_set: str
    """Such as `heldout`, or the name of a split."""
    policy: str
    """Such as `sft`."""
    model: str
    """Folder or name of the weights; empty for a scripted supervisor."""
    temperature: float | None
    """0 is greedy; None for a scripted supervisor."""
    role: Literal["trained", "reference", "degenerate", "clairvoyant"]
    rows: tuple[Row, ...]
    """`all` first, then the families."""
    parse_rate: float | None = None
    """Share of the answers that held a readable call."""
    invalid_rate: float | None = None
    """Share of the calls that were refused."""
    finished_rate: float | None = None
    reward_error_rate: float = 0.0
    """Share of the episodes that have no figure, because the arena failed in them."""
    distinct_states: int = 0
    """How many different conversations it had to answer: few of them cannot tell two policies apart."""
    actions: dict[str, float] = {}
    """Share of each action among the calls."""
    environment_calls: int = 0
    environment_seconds: float = 0.0
    seconds: float = 0.0
    """Of the whole play, the model's time included."""
    outcomes: tuple[Outcome, ...] = ()

    @property
    def label(self) -> str:
        """How a chart names it."""
        return self.policy if not self.temperature else f"{self.policy} T{self.temperature:g}"

    @property
    def mean(self) -> float | None:
        """Mean return over all episodes."""
        return self.rows[0].mean


class Comparison(BaseModel):
    """Whether one trained policy is better than the one before it, on the same scenarios."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    scenario_set: str
    temperature: float
    before: str
    after: str
    differences: tuple[Difference, ...]
    """`all` first, then the families; positive where `after` is better."""
    reference: str
    """The scripted supervisor that the gap is measured to; empty where the suite has none."""
    gap_closed: float | None
    """Share of the way from `before` to the reference; None where there is no gap to close."""
    finding: Finding
    sentence: str


class Evaluation(BaseModel):
    """All of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: tuple[Column, ...]
    comparisons: tuple[Comparison, ...]
    environment_calls: int
    seconds: float
    seed: int
    verdict: str
    """One sentence a comparison."""
