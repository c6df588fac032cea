"""The proof that training works here: from logs to a better supervisor, on several seeds, with intervals.

`python -m training.proof` makes the logs, the data, the models, the evaluations and the charts of every experiment, and
writes `evidence.json`: a list of claims, each with its figure, its interval, what it must be, and whether it is so. A
stage whose folder is there is not done again, so a run that was interrupted goes on. What fails stays in the list.
"""
