"""One rollout as two blobs of the log: token ids and log-probabilities.

Both cover the whole sequence: the prompt, every answer and every tool result. A token that the policy did not choose
has the log-probability NaN, so the two blobs alone say what was given and what was sampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from releaseops_mcp.errors import ChainBroken
from releaseops_mcp.log.blobs import LOGPROBS, TOKEN_IDS, Blobs, token_blobs


@dataclass(frozen=True, slots=True)
class TokenSequence:
    """The tokens of one rollout."""

    token_ids: npt.NDArray[np.int32]
    """Shape (tokens,)."""
    logprobs: npt.NDArray[np.float16]
    """Shape (tokens,): natural log, at the temperature of sampling; NaN where the token was given."""

    @property
    def sampled(self) -> npt.NDArray[np.bool_]:
        """Which tokens the policy chose; shape (tokens,)."""
        return ~np.isnan(self.logprobs)

    @property
    def prompt_tokens(self) -> int:
        """How many tokens stand before the first one that was sampled."""
        sampled = self.sampled
        return int(sampled.argmax()) if sampled.any() else len(sampled)

    def blobs(self) -> tuple[bytes, bytes]:
        """Return the two blobs: token ids, log-probabilities."""
        return token_blobs(self.token_ids, self.logprobs)


def sequence_of(token_ids: Sequence[int], logprobs: Sequence[float]) -> TokenSequence:
    """Return a rollout's sequence; raises ValueError where the two differ in length."""
    if len(token_ids) != len(logprobs):
        raise ValueError(f"{len(token_ids)} tokens have {len(logprobs)} log-probabilities: give one for each")
    return TokenSequence(np.asarray(token_ids, np.int32), np.asarray(logprobs, np.float16))


def read_sequence(blobs: Blobs, token_ids: str, logprobs: str) -> TokenSequence:
    """Return the sequence that two blobs hold; raises ChainBroken where they are missing or do not belong together."""
    found = blobs.get([token_ids, logprobs])
    ids, chances = np.frombuffer(found[token_ids], TOKEN_IDS), np.frombuffer(found[logprobs], LOGPROBS)
    if len(ids) != len(chances):
        raise ChainBroken(f"blobs {token_ids} and {logprobs} differ in length: leave out the episode that names them")
    return TokenSequence(ids, chances)
