"""What an evaluation must know of a suite to count passes, accusations and verdicts: data, a module a suite.

A module here exports `MEASURES`; a suite without one is counted by its tools' hints alone. Nothing else changes.
"""

from releaseops_mcp.evaluation.measures.base import Ending, Measures
from releaseops_mcp.evaluation.measures.registry import measures_of

__all__ = ["Ending", "Measures", "measures_of"]
