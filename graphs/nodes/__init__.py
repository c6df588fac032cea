"""The nodes that the graphs are built of, a file each; a graph is nothing but these and the edges between them."""

from graphs.nodes.brief import brief
from graphs.nodes.close import close
from graphs.nodes.decide import decide
from graphs.nodes.gate import gate
from graphs.nodes.reflect import reflect
from graphs.nodes.tools import tools

__all__ = ["brief", "close", "decide", "gate", "reflect", "tools"]
