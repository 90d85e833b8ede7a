"""Acquisition: episodes, and the workers that run many of them at once."""
