"""Devices: whatever has a screen that an agent can look at and touch."""
