"""What a model judge is shown: the request, the steps in words, and the last screens, as chat messages.

Pure functions of a trajectory. Who sends the messages is in `chat`, who reads the answer in `opinions`.
"""

from __future__ import annotations

import base64
import io
import json
from functools import cache
from importlib import resources

from PIL import Image

from distrl.imaging import decode_image
from distrl.records import Action, ActionKind, Ending, Observation, Screenshot, Trajectory

VERSION = "1"  # of the wording: changes whenever a verdict may change by it
LONGEST_TEXT = 300  # characters of one text of the agent or of the screen

Part = dict[str, object]
Message = dict[str, object]

_SAID = {
    ActionKind.DONE: "said that it was done",
    ActionKind.IMPOSSIBLE: "said that the request cannot be fulfilled",
    ActionKind.ANSWER: "told the person",
    ActionKind.INVALID: "said something that is no action",
    ActionKind.TAP: "tapped",
    ActionKind.LONG_PRESS: "pressed for long on",
    ActionKind.SWIPE: "swiped",
    ActionKind.TYPE: "typed",
    ActionKind.OPEN_APP: "opened the app",
    ActionKind.BACK: "pressed Back",
    ActionKind.HOME: "pressed Home",
    ActionKind.ENTER: "pressed Enter",
    ActionKind.WAIT: "waited",
}


@cache
def instructions() -> str:
    """What the model is told about its task; see prompts/outcome.txt."""
    file = resources.files("distrl.rewards").joinpath("prompts/outcome.txt")
    return file.read_text(encoding="utf-8").strip()


def messages(trajectory: Trajectory, pictures: int, side: int) -> list[Message]:
    """The conversation that asks for an opinion, in the form of the chat completions API."""
    screens = last_screens(trajectory, pictures)
    parts: list[Part] = [_text(f"{request(trajectory)}\n\nThe last {len(screens)} screens follow.")]
    parts += [
        {"type": "image_url", "image_url": {"url": data_url(screen.screenshot, side)}} for screen in screens
    ]
    parts.append(_text("Reason briefly, then end with the line `VERDICT: success`, `failure` or `unknown`."))
    return [{"role": "system", "content": instructions()}, {"role": "user", "content": parts}]


def _text(text: str) -> Part:
    return {"type": "text", "text": text}


def request(trajectory: Trajectory) -> str:
    """The goal and the steps in words; texts of others are quoted, so that none can pass for ours."""
    lines = [f"Request: {_quote(trajectory.task.goal, None)}", "", "What the agent did:"]
    lines += [
        f"{number}. {describe(step.decision.action, step.observation)}"
        for number, step in enumerate(trajectory.steps, 1)
    ]
    if trajectory.ending is Ending.STEP_LIMIT:
        lines.append(f"Then it had used up its {trajectory.task.max_steps} steps.")
    return "\n".join(lines)


def describe(action: Action, observation: Observation) -> str:
    """An action as a sentence about the agent, with the label of what it touched."""
    words = [_SAID[action.kind]]
    if action.text is not None:
        words.append(_quote(action.text))
    if action.point is not None:
        label = _label(action, observation)
        place = f"at x={action.point.x:.2f}, y={action.point.y:.2f}"
        words.append(f"{_quote(label)} ({place})" if label else place)
    if action.to is not None:
        words.append(f"to x={action.to.x:.2f}, y={action.to.y:.2f}")
    return " ".join(words) + (f" in {observation.app}" if observation.app else "")


def _quote(text: str, most: int | None = LONGEST_TEXT) -> str:
    """A text in quotes on one line; line ends and quotes inside it are escaped."""
    cut = text if most is None or len(text) <= most else f"{text[:most]}…"
    return json.dumps(cut, ensure_ascii=False)


def _label(action: Action, observation: Observation) -> str:
    """The label of the smallest labelled element under the action's point, if the tree is known."""
    if action.point is None or action.kind is ActionKind.SWIPE:
        return ""
    x, y = action.point.x * observation.width, action.point.y * observation.height
    hits = [
        node
        for node in observation.ui or ()
        if node.label and node.bounds[0] <= x < node.bounds[2] and node.bounds[1] <= y < node.bounds[3]
    ]
    smallest = min(
        hits, key=lambda n: (n.bounds[2] - n.bounds[0]) * (n.bounds[3] - n.bounds[1]), default=None
    )
    return smallest.label if smallest is not None else ""


def last_screens(trajectory: Trajectory, most: int) -> list[Observation]:
    """The last different screens in the order they were seen; the one at the end is the last."""
    seen = [step.observation for step in trajectory.steps]
    if trajectory.final is not None:
        seen.append(trajectory.final)
    different: list[Observation] = []
    for screen in seen:
        if not different or screen.screenshot != different[-1].screenshot:
            different.append(screen)
    return different[-most:]


def data_url(screenshot: Screenshot, side: int) -> str:
    """A picture as a PNG inside an address, no side longer than `side` pixels."""
    image = decode_image(screenshot)
    if max(image.size) > side:
        image.thumbnail((side, side), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=3)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
