"""The small policy: multimodal, trained from scratch, fast on a CPU.

In reading order: `words` (hashes and goal spans), `screen` (places and picture), `tokens` (actions as
tokens), `features` (situations as arrays), `eye`, `network` and `heads` (the model), `policy` (all of it).
"""

from distrl.agents.small.policy import SmallOutput, SmallPolicy, build

__all__ = ["SmallOutput", "SmallPolicy", "build"]
