"""The report: one HTML page that holds all it needs and opens offline. No script, no link to anywhere."""

from releaseops_mcp.evaluation.report.page import page
from releaseops_mcp.evaluation.report.source import Source, source_of

__all__ = ["Source", "page", "source_of"]
