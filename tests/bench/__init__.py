"""Speed, measured: `make bench` runs every module here, prints a table and writes build/bench.json."""
