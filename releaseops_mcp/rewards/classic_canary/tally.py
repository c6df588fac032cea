"""The fold: replays the decisions' movements from the logged calls and grades each on the state before it."""

from typing import ClassVar

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary import dynamics
from releaseops_mcp.episodes.classic_canary.contract import flag_of
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.episodes.classic_canary.telemetry import telemetry_of
from releaseops_mcp.rewards.base import Score, Step, StepReward, Tally
from releaseops_mcp.rewards.classic_canary import record, texts
from releaseops_mcp.rewards.classic_canary.grader import Decision, grade


class CanaryTally(Tally):
    """The running score of one episode: the mean of its step scores."""

    reward_id: ClassVar[str] = "classic-canary"
    version: ClassVar[str] = "1.0.0"

    def __init__(self, truth: Json, first_observation: Json) -> None:
        self._task: str = truth["task"]
        self._seed: int = truth["seed"]
        self._telemetry = telemetry_of(self._task, truth["constants"], truth["telemetry_model"])
        self._position = dynamics.START
        self._shown = first_observation
        self._sum = 0.0
        self._entries: list[record.Entry] = []

    def add(self, step: Step) -> StepReward:
        """Grade a decision; refused calls, and calls after the end or after a close, earn 0.0 and leave no trace.

        The detail holds figures and labels only; `texts.evaluation` makes the original's full evaluation of it.
        """
        closed = step.done and step.terminal_reason is None
        if step.error is not None or closed or self._position.ended:
            return StepReward(0.0)
        position, arguments = self._position, step.arguments
        action_type = arguments["action_type"]
        decision = Decision(action_type, arguments["state_assessment"], flag_of(arguments["slo_breach_detected"]))
        snapshot = self._telemetry.snapshot(position.traffic, position.step)
        graded = grade(self._task, snapshot, position.traffic, position.holds, decision)
        self._position = dynamics.move(position, action_type)
        self._sum += graded.score
        entry = record.Entry(arguments, graded, self._mean(1), self._shown, step.observation, self._position.ended)
        self._entries.append(entry)
        self._shown = step.observation
        detail = {
            "step_reward": graded.score,
            "episode_score": entry.episode_score,
            "actual_breach": graded.actual_breach,
            "policy_assessment": graded.policy_assessment,
            "reward_breakdown": graded.breakdown(),
        }
        return StepReward(graded.score, detail)

    def _mean(self, more: int = 0) -> float:
        steps = len(self._entries) + more
        return round(self._sum / steps, 4) if steps else 0.0

    def score(self) -> Score:
        """Return the mean step score (4 decimals, 0.0 before any) and the mean of each component."""
        account = self._account()
        components = account["score_breakdown"]
        total = components.pop("total_score")
        keys = ("steps", "outcome", "first_breach_point", "rollback_assessment")
        return Score(self.reward_id, self.version, total, components, {key: account[key] for key in keys})

    def report(self) -> Json:
        """Return the original's episode result, but for the episode's id, which the fold does not know."""
        account = self._account()
        labels = [entry.grade.policy_assessment for entry in self._entries]
        account["episode_summary"] = texts.episode_summary(account, labels)
        account["transcript"] = [record.transcript_entry(n, entry) for n, entry in enumerate(self._entries, 1)]
        return account

    def _account(self) -> Json:
        score = self._mean()
        outcome = dynamics.outcome(self._position)
        first_breach = record.first_breach_point(self._entries)
        return {
            "task_id": self._task,
            "task_name": TASKS[self._task].name,
            "seed": self._seed,
            "steps": len(self._entries),
            "episode_score": score,
            "outcome": outcome,
            "score_breakdown": record.mean_components(self._entries) | {"total_score": score},
            "first_breach_point": first_breach,
            "rollback_assessment": record.rollback_assessment(self._task, self._entries, outcome, first_breach),
        }
