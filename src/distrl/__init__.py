"""distrl: asynchronous distributed reinforcement learning for agents that operate phones."""

__version__ = "0.1.0"
