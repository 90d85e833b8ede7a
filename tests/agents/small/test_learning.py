"""Whether the small policy can learn at all: by heart from the tree, and from pixels what no label says."""

import random

import pytest
import torch
from PIL import Image, ImageDraw

from distrl.agents.small import SmallPolicy, build
from distrl.agents.small.features import join
from distrl.agents.small.tokens import KINDS
from distrl.config import PolicyConfig
from distrl.imaging import encode_image
from distrl.interfaces import StepFeatures
from distrl.records import Observation, Situation, UiNode
from distrl.testing.policy_contract import make_situations

torch.set_num_threads(1)

Lesson = tuple[Situation, tuple[int, ...]]  # a situation and the tokens of the right action


def study(policy: SmallPolicy, features: StepFeatures, optimiser: torch.optim.Optimizer) -> float:
    """One gradient step towards the right actions; returns the loss before it."""
    loss = -policy.forward([features]).logprob.mean()
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return loss.item()


def examine(policy: SmallPolicy, lessons: list[Lesson]) -> float:
    """Share of lessons in which the likeliest action is the right one."""
    decisions = policy.decide([situation for situation, _ in lessons], greedy=True)
    return sum(d.tokens == right for d, (_, right) in zip(decisions, lessons, strict=True)) / len(lessons)


@pytest.mark.parametrize("pixels", [True, False])
def test_it_can_learn_twenty_situations_by_heart(pixels: bool) -> None:
    policy = build(PolicyConfig(width=32, pixels=pixels))
    chance = random.Random(0)
    lessons: list[Lesson] = []
    for situation in make_situations(20, seed=5):
        place = chance.randrange(len(policy._featurizer.screen(situation.observation)))
        rights = ((KINDS.index("tap"), place), (KINDS.index("type"), 1, 2), (KINDS.index("done"),))
        lessons.append((situation, chance.choice(rights)))
    features = join([policy._featurizer.situation(situation, right) for situation, right in lessons])
    optimiser = torch.optim.Adam(policy._network.actor_parameters(), lr=3e-3)
    for _ in range(150):
        if study(policy, features, optimiser) < 0.03:
            break
    assert examine(policy, lessons) > 0.95


SHAPES = ("ring", "cross", "bar")


def shape_lesson(chance: random.Random) -> Lesson:
    """Three buttons without a label; the goal names the shape that is drawn on one of them."""
    image = Image.new("RGB", (206, 366), (245, 245, 245))
    draw = ImageDraw.Draw(image)
    nodes = []
    order = chance.sample(SHAPES, len(SHAPES))
    for row, shape in enumerate(order):
        x, y = chance.randrange(10, 180), 40 + 110 * row + chance.randrange(40)
        nodes.append(
            UiNode("Button", "", "", "", "", (2 * x - 24, 2 * y - 24, 2 * x + 24, 2 * y + 24), clickable=True)
        )
        if shape == "ring":
            draw.ellipse((x - 7, y - 7, x + 7, y + 7), outline=(60, 60, 60), width=3)
        elif shape == "cross":
            draw.line((x - 6, y - 6, x + 6, y + 6), fill=(60, 60, 60), width=3)
            draw.line((x - 6, y + 6, x + 6, y - 6), fill=(60, 60, 60), width=3)
        else:
            draw.rectangle((x - 7, y - 2, x + 7, y + 2), fill=(60, 60, 60))
    wanted = chance.randrange(len(SHAPES))
    seen = Observation(encode_image(image), 412, 732, tuple(nodes), "app", 0.0)
    return Situation(f"Press the {order[wanted]}", (), seen, 10), (KINDS.index("tap"), wanted)


def test_icons_without_a_label_are_told_apart_by_their_pixels() -> None:
    policy = build(PolicyConfig(width=32))
    chance = random.Random(1)
    rows = [policy._featurizer.situation(*shape_lesson(chance)) for _ in range(160)]
    optimiser = torch.optim.Adam(policy._network.actor_parameters(), lr=3e-3)
    for _ in range(80):
        if study(policy, join(chance.sample(rows, 32)), optimiser) < 0.03:
            break
    assert examine(policy, [shape_lesson(chance) for _ in range(100)]) > 0.8  # chance: 1/3
