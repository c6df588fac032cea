"""GitHub's `if` expressions, as far as workflows here use them: contexts, strings, `==`, `!=`, `!`, `&&` and `||`.

An expression without a status function (`always()`, `failure()` and so on) stands under an unspoken `success() &&`.
"""

import re
from collections.abc import Callable, Mapping

EVENT: Mapping[str, str] = {
    "github.event_name": "pull_request",
    "github.base_ref": "main",
    "github.event.action": "synchronize",
    "runner.os": "Linux",
}
"""What the contexts come to in a run of a pull request."""
STATUS = re.compile(r"\b(always|failure|success|cancelled)\(\)")
_TOKEN = re.compile(r"\s*('(?:[^']|'')*'|&&|\|\||==|!=|!|\(|\)|[\w.\-*]+(?:\(\))?)")


def holds(expression: str, well: bool, context: Mapping[str, str]) -> bool:
    """Return whether a job or a step goes on under its `if`; `well` says that all before it succeeded.

    `context` adds to EVENT, such as `needs.test.result`. Raises ValueError for what is not read here.
    """
    text = expression.strip()
    if text.startswith("${{") and text.endswith("}}"):
        text = text[3:-2].strip()
    if not text:
        return well
    value = _Reader(text, well, {**EVENT, **context}).whole()
    return value and (well or STATUS.search(text) is not None)


class _Reader:
    """A recursive descent over the tokens of one expression."""

    def __init__(self, text: str, well: bool, context: Mapping[str, str]) -> None:
        self._text = text
        self._tokens = _TOKEN.findall(text)
        if "".join(self._tokens) != re.sub(r"\s+(?=(?:[^']*'[^']*')*[^']*$)", "", text):
            raise ValueError(f"cannot read the condition {text!r}: use contexts, strings, ==, !=, !, && and ||")
        self._status: Mapping[str, bool] = {
            "always()": True,
            "success()": well,
            "failure()": not well,
            "cancelled()": False,
        }
        self._context = context

    def whole(self) -> bool:
        value = self._either()
        if self._tokens:
            raise ValueError(f"cannot read the condition {self._text!r}: {self._tokens[0]!r} is one too many")
        return bool(value)

    def _either(self) -> str | bool:
        return self._chain("||", self._both, lambda one, other: one or other)

    def _both(self) -> str | bool:
        return self._chain("&&", self._compared, lambda one, other: one and other)

    def _chain(
        self, sign: str, part: Callable[[], str | bool], join: Callable[[str | bool, str | bool], str | bool]
    ) -> str | bool:
        value = part()
        while self._next(sign):
            value = join(value, part())
        return value

    def _compared(self) -> str | bool:
        value = self._single()
        for sign in ("==", "!="):
            if self._next(sign):
                return (_plain(value) == _plain(self._single())) is (sign == "==")
        return value

    def _single(self) -> str | bool:
        if self._next("!"):
            return not self._single()
        if self._next("("):
            value = self._either()
            if not self._next(")"):
                raise ValueError(f"cannot read the condition {self._text!r}: a bracket is not closed")
            return value
        if not self._tokens:
            raise ValueError(f"cannot read the condition {self._text!r}: it ends too early")
        word = self._tokens.pop(0)
        if word.startswith("'"):
            return word[1:-1].replace("''", "'")
        if word.lower() in ("true", "false"):
            return word.lower() == "true"
        return self._status[word] if word in self._status else self._context.get(word, "")

    def _next(self, token: str) -> bool:
        if self._tokens and self._tokens[0] == token:
            self._tokens.pop(0)
            return True
        return False


def _plain(value: str | bool) -> str:
    """Return a value as GitHub compares it: without regard to case."""
    return str(value).lower()
