"""Names what chose a token: tokenizer, chat template and policy version.

Two policies that name the same three read and write the same tokens; only what was sampled from the very version that
is being trained is on-policy.
"""

import json
from dataclasses import dataclass
from typing import Any

from releaseops_mcp import canonical


@dataclass(frozen=True, slots=True)
class PolicyName:
    """A run's policy, whatever step it has reached."""

    model: str
    """Name of the model that training began with."""
    run: str
    """Id of the run."""
    tokenizer_hash: str
    template_hash: str

    def at(self, step: int) -> str:
        """Return the version after `step` optimizer steps."""
        return f"{self.run}@{step}"


def policy_name(model: str, run: str, tokenizer: Any) -> PolicyName:
    """Return the name of a run's policy."""
    return PolicyName(model, run, tokenizer_hash(tokenizer), canonical.sha256(str(tokenizer.chat_template)))


def tokenizer_hash(tokenizer: Any) -> str:
    """Return the hex SHA-256 of all that decides how a fast tokenizer cuts text, but not of how it pads."""
    state: dict[str, Any] = json.loads(tokenizer.backend_tokenizer.to_str())
    return canonical.digest({key: value for key, value in state.items() if key not in ("padding", "truncation")})
