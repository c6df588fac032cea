"""What an agent plays: a module or folder a suite, each exporting its `SUITE`; `registry` finds them."""
