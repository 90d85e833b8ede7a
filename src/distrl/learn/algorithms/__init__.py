"""One algorithm, one file, readable beside its paper."""
