"""What has happened so far: versions shown, decisions on them, pages read, units and hours spent."""

from dataclasses import dataclass, field

from releaseops_mcp.rewards.base import Json, Step
from releaseops_mcp.rewards.gate.weights import APPROVE, BLOCK, CRASHED, FREE, HOLD

SHIP = "ship_release_candidate"
INSPECTED = {
    "inspect_pr_diff": "pr_id",
    "inspect_review": "pr_id",
    "inspect_ci_run": "run_id",
    "inspect_ticket": "ticket_id",
    "inspect_dependency": "package",
    "inspect_deployment": "deployment_id",
    "inspect_service_health": "service",
}
DECIDING = {"approve_proposal": APPROVE, "block_proposal": BLOCK, "hold_release": HOLD}
Key = tuple[str, int]
"""A proposal's id and version."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision on one version."""

    key: Key
    decision: str
    rule: str
    phase: int
    informed: bool
    """Whether a page that shows why was read before."""
    confidence: float | None


@dataclass
class Account:
    """A pure fold over the steps of one episode."""

    truth: Json
    observation: Json
    shown: dict[Key, int] = field(default_factory=dict[Key, int])
    """The last phase in which a version was shown as open."""
    put_off: dict[Key, Decision] = field(default_factory=dict[Key, Decision])
    """The first hold or block of each version: one that comes back unchanged is not scored again."""
    granted: dict[Key, Decision] = field(default_factory=dict[Key, Decision])
    """The approvals."""
    read: set[str] = field(default_factory=set[str])
    """Pages that were read as a whole."""
    begun: set[str] = field(default_factory=set[str])
    """Pages whose answer was cut, whether or not the rest was asked for."""
    crashed: int = 0
    """Calls that failed by the tool's own fault."""
    invalid: int = 0
    units: int = 0
    terminal: str | None = None

    def __post_init__(self) -> None:
        self._see(self.observation)

    def add(self, step: Step) -> None:
        """Fold one step in."""
        before, self.observation = self.observation, step.observation
        if step.error is not None:
            self.invalid += step.error not in FREE
            self.crashed += step.error == CRASHED
        elif step.tool in INSPECTED:
            self._spend(step)
            page = f"{step.tool}:{step.arguments[INSPECTED[step.tool]]}#{step.arguments.get('page') or 1}"
            (self.begun if (step.result or {}).get("next_offset") else self.read).add(page)
        elif step.tool in DECIDING:
            self._decide(step, before)
        else:
            self._spend(step)
        self._see(step.observation)
        if step.done:
            self.terminal = step.terminal_reason

    def verdict(self, key: Key, phase: int) -> str:
        """Return the true verdict of a version in a phase: of what was approved too, where it asks to ship."""
        proposal = self.truth["proposals"][key[0]]
        verdicts = proposal["versions"][key[1] - 1]["verdicts"]
        own = str(verdicts[min(phase, len(verdicts)) - 1])
        if proposal["request"] != SHIP:
            return own
        carried = [
            self.verdict(each, made.phase) for each, made in self.granted.items() if each != key and made.phase <= phase
        ]
        return max((own, *carried), key=(APPROVE, HOLD, BLOCK).index)

    def harm(self, key: Key) -> float:
        """Return the severity of a proposal."""
        return float(self.truth["proposals"][key[0]]["harm"])

    def is_right_rule(self, decision: Decision) -> bool:
        """Return whether a block names a violated rule; one of a ship request also those of what it carries."""
        keys = [decision.key]
        if self.truth["proposals"][decision.key[0]]["request"] == SHIP:
            keys += self.granted
        return any(decision.rule in self.version(key)["rules"] for key in keys)

    def version(self, key: Key) -> Json:
        """Return what the truth holds of a version."""
        return self.truth["proposals"][key[0]]["versions"][key[1] - 1]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions that count."""
        return (*self.put_off.values(), *self.granted.values())

    def is_decided(self, key: Key) -> bool:
        """Return whether a version has been decided."""
        return key in self.put_off or key in self.granted

    @property
    def hours_used(self) -> float:
        """Hours since the start."""
        return float(self.truth["hours"]) - float(self.observation["hours_left"])

    def _spend(self, step: Step) -> None:
        cost: Json = (step.result or {}).get("cost", {})
        self.units += int(cost.get("units", 0))

    def _see(self, observation: Json) -> None:
        for proposal in observation["proposals"]:
            if proposal["status"] == "open":
                self.shown[proposal["id"], proposal["version"]] = observation["phase_index"]

    def _decide(self, step: Step, before: Json) -> None:
        named = step.arguments.get("proposal_id")
        for proposal in before["proposals"]:
            if proposal["status"] != "open" or (named is not None and proposal["id"] != named):
                continue
            key = (proposal["id"], proposal["version"])
            informed = not self.read.isdisjoint(self.version(key)["grounds"])
            rule, confidence = str(step.arguments.get("rule_id", "")), step.arguments.get("confidence")
            made = Decision(key, DECIDING[step.tool], rule, before["phase_index"], informed, confidence)
            (self.granted if made.decision == APPROVE else self.put_off).setdefault(key, made)
