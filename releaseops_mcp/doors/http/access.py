"""Who may act, and who may see the grading.

`RELEASEOPS_TOKEN`, where it is set, must come with everything that changes state, with MCP and with WebSockets.
`RELEASEOPS_GRADER_TOKEN` opens the graded oracle as well; where it is not set, the oracle is open for suites whose ids
are open (the classics) and closed for the others.
"""

from dataclasses import dataclass, field
from hmac import compare_digest

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from releaseops_mcp.episodes.registry import is_open, suites
from releaseops_mcp.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Access:
    """The tokens of one server."""

    token: str = field(default="", repr=False)
    grader_token: str = field(default="", repr=False)

    def may_act(self, headers: Headers) -> bool:
        """Return whether a request may change state: the grader may do whatever anybody may."""
        if not self.token:
            return True
        return _same(_bearer(headers), self.token) or self.is_grader(headers)

    def is_grader(self, headers: Headers) -> bool:
        """Return whether a request shows the grader's token."""
        return self.grader_token != "" and _same(_bearer(headers), self.grader_token)

    def may_grade(self, headers: Headers, suite: str) -> bool:
        """Return whether a request may see the grading of a suite's episodes."""
        return self.is_grader(headers) or (self.grader_token == "" and is_open(suite))

    def require_grading(self, headers: Headers, suite: str) -> None:
        """Refuse with 401, or with 403 where no token could help, a request that may not see a suite's grading."""
        self.require_grader_token(headers)
        if not self.may_grade(headers, suite):
            raise HTTPException(403, f"grading of {suite} is closed on a server without RELEASEOPS_GRADER_TOKEN")

    def require_grader_token(self, headers: Headers) -> None:
        """Refuse with 401 a request without the grader's token, where there is one."""
        if self.grader_token and not self.is_grader(headers):
            raise HTTPException(
                401, "the grader's bearer token is needed here", {"www-authenticate": 'Bearer realm="grader"'}
            )

    def listed_suites(self, headers: Headers, asked: str = "") -> tuple[str, ...] | None:
        """Return the suites whose episodes a request may list, None for all; `asked` names the only one it wants.

        Refuses like `require_grading`; raises InvalidArgument for a suite that is not installed.
        """
        if asked:
            if asked not in suites():
                raise InvalidArgument(f"no suite {ascii(asked)[:60]}: the suites are {', '.join(suites())}")
            self.require_grading(headers, asked)
            return (asked,)
        self.require_grader_token(headers)
        if self.is_grader(headers):
            return None
        return tuple(name for name in suites() if is_open(name))


def _bearer(headers: Headers) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _same(shown: str, token: str) -> bool:
    return compare_digest(shown.encode(), token.encode())
