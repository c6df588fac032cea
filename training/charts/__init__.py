"""Charts of training runs and evaluations; matplotlib is loaded when one is drawn."""
