"""`python -m releaseops_mcp.inference [--env-url URL]`; the exit code is always 0, as the original's was."""

import os
import sys

from releaseops_mcp.inference.run import run


def main() -> int:
    """Run from the command line."""
    run(sys.argv[1:], os.environ, sys.stdout, sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
