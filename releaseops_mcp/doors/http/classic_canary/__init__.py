"""The original canary manager's HTTP contract, mounted at /classic-canary: its routes, fields and statuses.

    requests            the bodies that the original read through models
    answers, graded     the shapes of answers, and of what is graded in them
    uninitialised       what an environment shows before its first reset
    stateless           POST /reset and /step, which keep nothing
    episodes            /episodes: begin, step, state, transcript
    completed           how many finished results are kept, where that is limited
    session             the WebSocket
    grading             POST /grader
    baseline            POST /baseline
    catalogue, notes    GET /tasks, and the texts in it
    app                 the routes

An episode begun under /episodes or over the WebSocket is an episode of the arena: every other door can play it on.
"""

from releaseops_mcp.doors.http.classic_canary.app import build

__all__ = ["build"]
