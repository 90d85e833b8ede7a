"""A run's metrics where people like to look at them: TensorBoard files, Weights & Biases, trackio.

The run folder's records stay the truth. Trackers read them in the process that follows the run, each in a
thread of its own, so every engine gets the same curves and a tracker that hangs holds up nobody.
"""

from distrl.tracking.following import Tracking, tracked

__all__ = ["Tracking", "tracked"]
