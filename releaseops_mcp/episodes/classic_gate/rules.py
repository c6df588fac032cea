"""The three rules of the classic gate, the facts that they judge, and the names under which they are cited.

A rule is violated when one of its facts differs from the healthy figure. Order matters: violations are always listed
S1, S2, S3.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Facts = Mapping[str, bool]
"""The release checks by name, in the order in which an observation shows them."""

HEALTHY: Facts = MappingProxyType(
    {
        "open_p1_bug": False,
        "payment_tests_disabled": False,
        "payment_tests_passing": True,
        "deploy_checks_passed": True,
    }
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the release policy."""

    short: str
    """How a proposal lists it, such as `S1`."""
    canonical: str
    """How an observation lists it."""
    facts: tuple[str, ...]
    """The release checks that must be healthy."""
    meaning: str
    """One sentence for people."""


RULES = (
    Rule("S1", "no_p1_open", ("open_p1_bug",), "No P1 bug may be open when the candidate ships."),
    Rule(
        "S2",
        "payments_tests_must_pass",
        ("payment_tests_disabled", "payment_tests_passing"),
        "The payment tests must be switched on and must pass.",
    ),
    Rule("S3", "deploy_checks_before_ship", ("deploy_checks_passed",), "The deploy checks must have passed."),
)

SPELLINGS: Mapping[str, Rule] = MappingProxyType(
    {rule.short: rule for rule in RULES} | {rule.canonical: rule for rule in RULES}
)
"""The six names under which a block may cite a rule, case-sensitive."""


def violated_rules(facts: Facts) -> tuple[Rule, ...]:
    """Return the rules that `facts` violate, in the order S1, S2, S3."""
    return tuple(rule for rule in RULES if any(facts[name] != HEALTHY[name] for name in rule.facts))
