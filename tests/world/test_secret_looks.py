"""What looks like a credential: enough to ask for the scan, and not every long word."""

import pytest

from releaseops_mcp.world.rules.secret import LOOKS

# Put together here, so that no file of this repository holds what it looks for.
BODY = "q7RwZk3mVx9TbN2hLcF8sD"


@pytest.mark.parametrize(
    "line",
    [
        f"GATEWAY_KEY=pat_{BODY}",
        f'api_key = "{BODY}"',
        f"  'authToken': '{BODY}',",
        f"password: {BODY}",
        f"  - sk_live_{BODY}",
        "-----BEGIN " + "RSA PRIVATE KEY-----",
    ],
)
def test_it_looks_like_a_credential(line):
    assert LOOKS.search(line)


@pytest.mark.parametrize(
    "line",
    [
        "      - uses: harbour/setup@8f4b7f84864484a7bf31766abe9204da3cbe65b3 # v4.2.0",
        "    --hash=sha256:8f4b7f84864484a7bf31766abe9204da3cbe65b38f4b7f84864484a7bf31766a",
        "        token: ${{ secrets.GITHUB_TOKEN }}",
        "GATEWAY_KEY=",
        "def same(secret: str, given: str) -> bool:  # token = secret",
        '    assert same("s3", "s3")',
        'key = "order"',
        "-----BEGIN PUBLIC KEY-----",
    ],
)
def test_it_does_not(line):
    assert not LOOKS.search(line)
