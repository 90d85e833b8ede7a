"""Learning: from drawn trajectories to a better policy, whatever collected them."""
