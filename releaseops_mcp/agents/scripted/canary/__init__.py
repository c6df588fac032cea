"""The scripted supervisors of `canary`, a module each way of thinking."""
