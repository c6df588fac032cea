"""`python -m releaseops_mcp.cli`: the same as `releaseops`."""

import sys

from releaseops_mcp.cli import main

if __name__ == "__main__":
    sys.exit(main())
