"""Prompts of model-backed supervisors: files under `graphs/prompts/agents`, each with its version at the top.

A changed text needs a higher version: results of different prompts are not comparable, and the log names both the
version and the hash.
"""

import re
from dataclasses import dataclass
from importlib.resources import files

from releaseops_mcp import canonical

_HEADER = re.compile(r"---\nname: (?P<name>[a-z-]+)\nversion: (?P<version>\d+)\n---\n")
_GAP = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One versioned prompt."""

    name: str
    version: int
    text: str
    """With gaps such as `{{briefing}}`."""

    @property
    def hash(self) -> str:
        """Hex SHA-256 of the text, gaps and all."""
        return canonical.sha256(self.text)

    @property
    def label(self) -> str:
        """Name and version, such as `supervisor@1`."""
        return f"{self.name}@{self.version}"

    def filled(self, **values: str) -> str:
        """Return the text with its gaps filled; what fills one is not searched for gaps. Raises KeyError."""
        return _GAP.sub(lambda gap: values[gap[1]].strip(), self.text)


def read_prompt(name: str) -> Prompt:
    """Return the prompt of a name."""
    content = files("graphs").joinpath("prompts", "agents", f"{name}.md").read_text(encoding="utf-8")
    header = _HEADER.match(content)
    assert header is not None, f"the prompt {name} has no header"
    return Prompt(header["name"], int(header["version"]), content[header.end() :].strip())
