"""The kinds of datasets, a module each; `registry` finds them."""
