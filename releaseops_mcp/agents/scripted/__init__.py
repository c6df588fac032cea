"""The scripted supervisors: every module here registers its policies when it is imported."""
