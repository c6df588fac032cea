"""What every proposal of a request has, planted or not: one file a habit.

A file exports `ORDINARY = Ordinary(name="reviews", order=20, requests=("merge_change",), add=add)`, where
`add(draft, draws)` writes the ordinary facts into the draft. `reviews.py` is the example. Kinds change them afterwards.
"""
