"""Episodes as pictures: screens in the terminal, and animations with the agent's touches drawn on them."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from rich.color import Color
from rich.style import Style
from rich.text import Text

from distrl.errors import RunError
from distrl.imaging import decode_image, draw_action
from distrl.records import Action, Observation, Trajectory, UiNode

CAPTION_HEIGHT = 64
MARGIN = 10


def terminal_picture(image: Image.Image, columns: int) -> Text:
    """A picture as text: each character shows two pixels, one above the other."""
    rows = max(1, round(image.height * columns / image.width / 2))
    small = image.convert("RGB").resize((columns, rows * 2), Image.Resampling.LANCZOS)
    pixels = small.load()
    assert pixels is not None
    text = Text()
    for row in range(rows):
        for column in range(columns):
            upper = Color.from_rgb(*pixels[column, 2 * row])  # type: ignore[misc]
            lower = Color.from_rgb(*pixels[column, 2 * row + 1])  # type: ignore[misc]
            text.append("▀", Style(color=upper, bgcolor=lower))
        text.append("\n")
    return text


def touched(action: Action, observation: Observation) -> UiNode | None:
    """The smallest element under the action's point, if the tree is known."""
    if action.point is None or observation.ui is None:
        return None
    x, y = action.point.x * observation.width, action.point.y * observation.height
    hits = [
        node
        for node in observation.ui
        if node.bounds[0] <= x <= node.bounds[2] and node.bounds[1] <= y <= node.bounds[3]
    ]
    return min(hits, key=_area, default=None)


def _area(node: UiNode) -> int:
    left, top, right, bottom = node.bounds
    return (right - left) * (bottom - top)


def describe(action: Action, observation: Observation) -> str:
    """An action in words: what was touched rather than where."""
    node = touched(action, observation)
    if node is not None and node.label:
        return f"{action.kind} “{node.label}”"
    return str(action)


def save_animation(trajectory: Trajectory, path: Path, *, step_s: float = 1.2) -> None:
    """Write an episode as GIF, WebP or APNG (by the file's ending), one frame a step, with captions."""
    frames = [
        _frame(
            draw_action(decode_image(step.observation.screenshot), step.decision.action),
            trajectory.task.goal,
            f"{index + 1}/{len(trajectory.steps)}  {describe(step.decision.action, step.observation)}",
        )
        for index, step in enumerate(trajectory.steps)
    ]
    if trajectory.final is not None:
        verdict = f"{trajectory.verdict.outcome}: {trajectory.verdict.evidence}"
        frames.append(_frame(decode_image(trajectory.final.screenshot), trajectory.task.goal, verdict))
    if not frames:
        raise RunError("the episode has no steps to show")
    durations = [int(step_s * 1000)] * (len(frames) - 1) + [int(step_s * 2500)]
    try:
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0)
    except (OSError, ValueError) as error:
        raise RunError(
            f"cannot write {path}: {error}; use a name that ends in .gif, .webp or .png"
        ) from error


def _frame(screen: Image.Image, title: str, caption: str) -> Image.Image:
    width = max(screen.width, 300) + 2 * MARGIN
    canvas = Image.new("RGB", (width, screen.height + CAPTION_HEIGHT + 2 * MARGIN), (28, 30, 34))
    draw = ImageDraw.Draw(canvas)
    font = ImageFont.load_default(size=13)
    lines = [*wrap(title, font, width - 2 * MARGIN)[:2], *wrap(caption, font, width - 2 * MARGIN)[:2]]
    titles = min(2, len(wrap(title, font, width - 2 * MARGIN)))
    for row, line in enumerate(lines):
        colour = (240, 240, 240) if row < titles else (255, 190, 90)
        draw.text((MARGIN, MARGIN + 15 * row), line, colour, font=font)
    canvas.paste(screen, ((width - screen.width) // 2, CAPTION_HEIGHT + MARGIN))
    return canvas


def wrap(text: str, font: ImageFont.ImageFont | ImageFont.FreeTypeFont, width: int) -> list[str]:
    """Break a text into lines that fit a width in pixels."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines
