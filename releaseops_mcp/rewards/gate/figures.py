"""From an account to the components of the reward; every formula of the suite stands here."""

from releaseops_mcp.rewards.gate import weights as w
from releaseops_mcp.rewards.gate.account import SHIP, Account, Decision, Key


def components(account: Account, *, final: bool) -> dict[str, float]:
    """Return the components; undecided versions and the end count only where the account is `final`."""
    return {
        "decisions": decisions(account, final=final),
        "evidence": evidence(account),
        "terminal": terminal(account) if final else 0.0,
        "time": w.TIME * account.hours_used / float(account.truth["hours"]),
        "units": w.UNIT * account.units,
        "invalid": w.INVALID * account.invalid,
    }


def decisions(account: Account, *, final: bool) -> float:
    """Return the decisions' sum, times 3 over the number of versions shown."""
    earned = sum(price(account, decision) for decision in account.decisions if not _ended(account, decision))
    if final:
        left = [(key, phase) for key, phase in account.shown.items() if not account.is_decided(key)]
        earned += sum(w.DECISIONS[w.UNDECIDED, account.verdict(key, phase)] for key, phase in left)
    return w.DECISIONS_WEIGH * earned / max(1, len(account.shown))


def price(account: Account, decision: Decision) -> float:
    """Return what one decision earns before weighing."""
    truth = account.verdict(decision.key, decision.phase)
    if decision.decision == w.BLOCK and not account.is_right_rule(decision):
        return w.WRONG_RULE[truth]
    figure = w.DECISIONS[decision.decision, truth]
    return figure * account.harm(decision.key) if decision.decision == w.APPROVE else figure


def evidence(account: Account) -> float:
    """Return the bonus for right holds and blocks that rest on a page that was read, once a lineage."""
    earned = {
        decision.key[0]
        for decision in account.decisions
        if decision.decision != w.APPROVE
        and decision.informed
        and account.verdict(decision.key, decision.phase) == decision.decision
    }
    return min(w.EVIDENCE_AT_MOST, w.EVIDENCE * len(earned))


def terminal(account: Account) -> float:
    """Return what the end earns; an account without an end is that of an abandoned episode."""
    if account.terminal == "safe_ship":
        return w.SAFE_SHIP * (1 - w.SCOPE * left_out(account))
    if account.terminal == "unsafe_ship":
        return w.UNSAFE_SHIP + w.UNSAFE_SEVERITY * shipped_harm(account)
    if account.terminal == "missed_deadline":
        return w.MISSED
    if account.terminal == "refused":
        return w.NEEDLESS_REFUSAL if account.truth["shippable"] else w.RIGHT_REFUSAL
    return w.ABANDONED


def left_out(account: Account) -> float:
    """Return the share of the approvable proposals, as last shown, that was not approved."""
    phase = account.observation["phase_index"]
    last: dict[str, Key] = {key[0]: key for key in account.shown}
    able = [
        key
        for key in last.values()
        if account.truth["proposals"][key[0]]["request"] != SHIP
        and (key in account.granted or account.verdict(key, phase) == w.APPROVE)
    ]
    return sum(key not in account.granted for key in able) / len(able) if able else 0.0


def shipped_harm(account: Account) -> float:
    """Return the highest severity among what was wrongly approved."""
    wrong = [key for key, made in account.granted.items() if account.verdict(key, made.phase) != w.APPROVE]
    return max((account.harm(key) for key in wrong), default=0.0)


def _ended(account: Account, decision: Decision) -> bool:
    """Return whether it is the approval that ended the episode: the terminal alone pays it."""
    ships = account.truth["proposals"][decision.key[0]]["request"] == SHIP
    return ships and decision.decision == w.APPROVE
