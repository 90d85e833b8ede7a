"""Families of tasks by app: templates that suites are drawn from."""
