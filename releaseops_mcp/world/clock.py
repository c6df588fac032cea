"""The release's own time: whole minutes since Monday 2 March 2026, 00:00 UTC. Nothing reads the machine's clock."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

EPOCH = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = 60
DAY = 24 * HOUR
STARTS = tuple(day * DAY + hour * HOUR for hour in range(7, 11) for day in range(4))
"""The minutes in which a release may begin: Monday to Thursday, in the morning."""


@lru_cache(maxsize=4096)
def stamp(minute: int) -> str:
    """Return a time as GitHub writes it, such as `2026-03-02T08:30:00Z`."""
    return (EPOCH + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(minute: int) -> int:
    """Return the seconds since 1970."""
    return int(EPOCH.timestamp()) + minute * 60


def mail_date(minute: int) -> str:
    """Return a time as a mail header writes it, such as `Mon, 02 Mar 2026 08:30:00 +0000`."""
    return (EPOCH + timedelta(minutes=minute)).strftime("%a, %d %b %Y %H:%M:%S +0000")


def minute_of(text: str) -> int:
    """Return the minute of a time that `stamp` wrote; raises ValueError for another text."""
    return int((datetime.fromisoformat(text) - EPOCH).total_seconds() // 60)
