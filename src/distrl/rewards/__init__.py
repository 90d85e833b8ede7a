"""Judges: who says whether a trajectory reached its goal."""
