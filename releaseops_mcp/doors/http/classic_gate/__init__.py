"""The original release arena's HTTP contract, mounted at /classic-gate: its routes, fields and statuses.

    observation   the shape of what a supervisor sees
    contract      the shapes of bodies and answers
    scenarios     which world a reset asks for
    sessions      the limit on environments that are open at once
    environments  reset, step, close and state, each a call or two on the arena
    session       the same behind a WebSocket
    evaluation    the bounded evaluation of /api/run-eval
    app           the routes

An `env_id` is an episode's id: what is begun here can be played on through every other door.
"""

from releaseops_mcp.doors.http.classic_gate.app import build

__all__ = ["build"]
