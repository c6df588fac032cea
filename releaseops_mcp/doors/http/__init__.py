"""The HTTP door: one FastAPI app that serves the arena to trainers, harnesses and graders.

`app.create_app` assembles it, `serving` runs it. Every route is a thin adapter over `arena.dispatch.invoke`, the arena
and the audits: an episode begun here is played on over MCP, and the other way round. Nothing is imported here.
"""
