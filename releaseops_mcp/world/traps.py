"""Traps for the supervisor: what goes wrong with reading itself, drawn by level, the same for both of a pair of twins.

They say nothing of what is true, but for one: evidence that contradicts itself, which is to be held (see the family
`evidence_agrees`) until it has been put right.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from releaseops_mcp.world.draws import Draws

EARLIEST, LATEST = 1, 5
"""Which of the first inspections crashes."""
DIFF, RUN = "inspect_pr_diff", "inspect_ci_run"


@dataclass(frozen=True, slots=True)
class Traps:
    """What is set in one release; "" and 0 stand for nothing."""

    cut: str = ""
    """The pull request whose first page is answered in two pieces."""
    crash: int = 0
    """Which inspection crashes, counted from 1; once, before it has read anything."""
    status: str = ""
    """The run beside which the status of another commit is shown."""
    sha: str = ""
    """That commit."""

    @property
    def count(self) -> int:
        """How many traps are set."""
        return sum(map(bool, (self.cut, self.crash, self.status)))


NONE = Traps()
"""Nothing is set."""


def draw(refs: Sequence[str], chance: float, draws: Draws) -> Traps:
    """Return the traps of a release whose proposals name these artefacts."""
    changes, runs = ([ref for ref in refs if ref.startswith(prefix)] for prefix in ("pr_", "ci_"))
    own = {name: draws.child(name) for name in ("cut", "crash", "status")}
    is_set = {name: each.chance(chance) for name, each in own.items()}
    cut = own["cut"].choice(changes) if is_set["cut"] and changes else ""
    status = own["status"].choice(runs) if is_set["status"] and runs else ""
    sha = "".join(own["status"].choice("0123456789abcdef") for _ in range(40)) if status else ""
    return Traps(cut, own["crash"].integer(EARLIEST, LATEST) if is_set["crash"] else 0, status, sha)


def pieces(text: str) -> int:
    """Return the byte at which a page is cut: the end of a line near its middle; 0 where it has but one line."""
    data = text.encode()
    return data.rfind(b"\n", 0, len(data) * 3 // 5) + 1
