"""The shared reward module: a file a suite, each exporting its `SCORER`; `registry` finds them."""
