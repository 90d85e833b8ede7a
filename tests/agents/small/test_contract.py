"""The small policy keeps the contract of policies, whatever it is allowed to look at."""

from collections.abc import Callable

import pytest
import torch

from distrl.agents.small import build
from distrl.config import PolicyConfig
from distrl.testing.policy_contract import POLICY_CONTRACT, TRAINABLE_CONTRACT, MakeTrainable

torch.set_num_threads(1)

SIGHTS = {
    "tree+pixels": PolicyConfig(width=32, layers=1),
    "tree": PolicyConfig(width=32, layers=2, pixels=False),
    "pixels": PolicyConfig(width=48, layers=1, tree=False),
}


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("clause", POLICY_CONTRACT + TRAINABLE_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause: Callable[[MakeTrainable], None], sight: str) -> None:
    clause(lambda seed: build(SIGHTS[sight], seed))
