"""A scripted supervisor's play of a scenario in memory, as a trajectory: what the reference would have done."""

from releaseops_mcp.agents.base import Action, Brief, Supervisor, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.evaluation.runs import draw_seed
from releaseops_mcp.evaluation.trajectory import Call, Trajectory
from releaseops_mcp.simulation import Simulation


def rehearse(supervisor: Supervisor, scenario: str) -> Trajectory:
    """Let a supervisor play a scenario, unlogged, and return every call with its grading."""
    simulation = Simulation.of(scenario)
    calls: list[Call] = []
    seen = simulation.first_observation

    def apply(action: Action) -> Turn:
        nonlocal seen
        before = seen
        judged = simulation.call(action.tool, action.arguments)
        seen = judged.observation
        error = judged.refusal.code if judged.refusal else None
        calls.append(
            Call(
                action.tool,
                action.arguments,
                error,
                judged.result,
                before,
                seen,
                judged.done,
                judged.terminal_reason,
                judged.earned.reward,
                judged.earned.detail,
            )
        )
        return Turn(judged.result, error, seen, judged.done, judged.terminal_reason)

    drive(supervisor.policy, Brief(seen, simulation.suite.tools, draw_seed(scenario)), apply)
    return Trajectory(simulation.suite.name, simulation.first_observation, tuple(calls), (), ())
