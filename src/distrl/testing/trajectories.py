"""Small, valid trajectories that need no device: for tests of whatever stores, judges or learns from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image

from distrl.imaging import encode_image
from distrl.records import (
    Action,
    ActionKind,
    Condition,
    Decision,
    Ending,
    Observation,
    Outcome,
    Point,
    Screenshot,
    Step,
    Task,
    Trajectory,
    UiNode,
    Verdict,
)

SCREEN = (8, 8)  # width and height in pixels


def make_screenshot(seed: int = 0, size: tuple[int, int] = SCREEN) -> Screenshot:
    """A picture of noise; the same seed and size give the same bytes."""
    width, height = size
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return encode_image(Image.fromarray(pixels))


def make_observation(seed: int = 0, size: tuple[int, int] = SCREEN, captured_at: float = 0.0) -> Observation:
    """A screen with one window and one button in its upper half."""
    width, height = size
    ui = (
        UiNode("android.widget.FrameLayout", "", "", "", "com.example", (0, 0, width, height)),
        UiNode(
            "android.widget.Button",
            "OK",
            "confirm",
            "com.example:id/ok",
            "com.example",
            (0, 0, width, height // 2),
            parent=0,
            clickable=True,
        ),
    )
    return Observation(
        screenshot=make_screenshot(seed, size),
        width=width,
        height=height,
        ui=ui,
        app="com.example",
        captured_at=captured_at,
    )


def make_task(id: str = "press-ok", max_steps: int = 10, family: str = "press") -> Task:
    """A task with one probe and one condition on its answer."""
    return Task(
        id=id,
        goal="Press the OK button",
        suite="testing",
        split="train",
        max_steps=max_steps,
        family=family,
        probes={"pressed": "settings get global pressed"},
        check=(Condition(probe="pressed", op="equals", value="1"),),
    )


def make_decision(version: int = 0, final: bool = False) -> Decision:
    """A tap on the button, or DONE; two tokens with their log-probabilities."""
    action = Action(ActionKind.DONE) if final else Action(ActionKind.TAP, point=Point(0.5, 0.25))
    return Decision(
        action=action,
        output=str(action),
        tokens=(1, 2) if final else (3, 4),
        logprobs=(-0.25, -0.5),
        version=version,
        language="testing",
    )


def make_trajectory(
    id: str,
    *,
    steps: int = 3,
    success: bool = True,
    version: int | Sequence[int] = 0,
    task: str = "press-ok",
    ending: Ending = Ending.AGENT_DONE,
    outcome: Outcome | None = None,
    seed: int = 0,
    worker: str = "worker-0",
    device: str = "device-0",
    size: tuple[int, int] = SCREEN,
    started_at: float = 0.0,
) -> Trajectory:
    """A trajectory of `steps` taps that ends with DONE unless another ending is asked for.

    `version` is the policy version of every step, or one number for each step; `outcome` overrides
    `success`; screenshots depend on `seed` and the step alone, so equal seeds share their pictures.
    """
    versions = [version] * steps if isinstance(version, int) else list(version)
    if len(versions) != steps:
        raise ValueError(f"{steps} steps but {len(versions)} versions")
    says_done = ending is Ending.AGENT_DONE
    outcome = outcome or (Outcome.SUCCESS if success else Outcome.FAILURE)
    return Trajectory(
        id=id,
        run="testing",
        task=make_task(task, max_steps=max(10, steps)),
        seed=seed,
        steps=tuple(
            Step(
                observation=make_observation(1000 * seed + index, size, started_at + index),
                decision=make_decision(number, final=says_done and index == steps - 1),
                seconds=0.5,
            )
            for index, number in enumerate(versions)
        ),
        final=make_observation(1000 * seed + steps, size, started_at + steps),
        ending=ending,
        answers={"pressed": "1" if outcome is Outcome.SUCCESS else "0"},
        verdict=Verdict(outcome=outcome, judge="testing", judge_version="1", evidence="made up"),
        worker=worker,
        device=device,
        started_at=started_at,
        ended_at=started_at + steps,
    )
