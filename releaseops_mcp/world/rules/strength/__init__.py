"""Ways in which tests get weaker, one file a way: assertions, goldens, doubles, special cases for a test's own input.

Each file has `find(wanted, case, view)`, which returns what the change would have to answer for, and what must be read.
"""
