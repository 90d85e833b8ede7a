"""Runs the parts of a run, here or elsewhere, knowing nothing of what they do.

`inline` keeps them in one thread for tests and debugging, `processes` gives each its own process, `ray` its
own actor somewhere in a cluster.
"""
