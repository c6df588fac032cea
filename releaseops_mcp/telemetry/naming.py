"""How the spans name their sender, whichever way they leave."""

SERVICE = "releaseops-arena"
"""`service.name` of the resource; its `service.version` is the version that logged the episode."""
SCOPE = "releaseops_mcp.log.genai"
"""Name of the instrumentation scope."""
