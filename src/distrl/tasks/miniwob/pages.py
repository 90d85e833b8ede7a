"""MiniWoB++'s pages: which of them need only our actions, and how an episode on one is begun and scored."""

from __future__ import annotations

import json

from distrl.records import Condition, Task

SUITE = "miniwob"
VERSION = "1"
PACKAGE_VERSION = "1.1.0"  # of `miniwob`, whose pages the goals were read from

_REAL_TIME = "moves on while the agent thinks"
_HOVER = "needs a pointer that hovers"
_FRAMES = "shows a whole site in a frame, served over HTTP"
LEFT_OUT = {
    "button-delay": _REAL_TIME,
    "chase-circle": _HOVER,
    "draw-circle": "needs a curved stroke; swipes are straight",
    "flight.AA": _FRAMES,
    "flight.Alaska": _FRAMES,
    "flight.Alaska-auto": _FRAMES,
    "hot-cold": _HOVER,
    "hover-shape": _HOVER,
    "moving-items": _REAL_TIME,
    "simon-says": _REAL_TIME,
    "stock-market": _REAL_TIME,
    "terminal": "reads single keys and has no text field",
}
"""Environments of `miniwob` that are not in the suite, and why."""

LONG = {
    "ascending-numbers",
    "book-flight",
    "book-flight-nodelay",
    "buy-ticket",
    "click-checkboxes-large",
    "drag-sort-numbers",
    "drag-items-grid",
    "form-sequence-2",
    "form-sequence-3",
    "number-checkboxes",
    "order-food",
    "social-media-all",
    "social-media-some",
    "stock-market",
    "tic-tac-toe",
}
"""Environments that need more steps than others."""

STEPS, LONG_STEPS = 10, 20

# Runs in every page before its own scripts, so that a page that is loaded again begins the episode again.
# It switches the time limit off, and the countdown with it; takes the instruction and the score board out of
# the accessibility tree, as MiniWoB++'s own list of elements does, and the score board out of the page, which
# is then no wider than the screen;
# and makes the cover, which appears when the page is done, deaf to touches, so that what was reached stays.
_BEGIN = (
    "addEventListener('load',()=>setTimeout(()=>{"
    "core.EPISODE_MAX_TIME=2147483647;core.countdownTimer=()=>{};"
    "for(const id of ['query','reward-display','click-canvas']){const e=document.getElementById(id);"
    "e?.setAttribute('aria-hidden','true');if(e&&id!='query')e.style.display='none'}"
    "document.documentElement.style.overflowX='clip';"
    "core.setDataMode(%s);Math.seedrandom(%s);core.startEpisodeReal();"
    "core.cover_div.onclick=null;globalThis.episodeBegun=true}))"
)
GOAL_SCRIPT = "(said=>(said.utterance??said).replace(/\\s+/g,' ').trim())(core.getUtterance())"
_PROBES = {"done": "eval WOB_DONE_GLOBAL", "reward": "eval WOB_RAW_REWARD_GLOBAL"}
_CHECK = (Condition("done", "equals", "true"), Condition("reward", "at_least", "0.000001"))


def make_task(env: str, split: str, seed: int, goal: str) -> Task:
    """One episode of an environment as a task; the page must say the goal, or the set-up fails."""
    return Task(
        id=f"{SUITE}/{split}/{env}-{seed}",
        goal=goal,
        suite=SUITE,
        split=split,
        max_steps=LONG_STEPS if env in LONG else STEPS,
        family=env,
        setup=(*begin(env, split, seed), f"require {GOAL_SCRIPT} === {json.dumps(goal)}"),
        probes=_PROBES,
        check=_CHECK,
    )


def begin(env: str, split: str, seed: int) -> tuple[str, ...]:
    """The set-up that begins an episode; MiniWoB++'s own data mode `test` is for all splits but `train`."""
    mode = "train" if split == "train" else "test"
    return (
        "width 160",
        "pointer mouse",
        f"script {_BEGIN % (json.dumps(mode), seed)}",
        f"goto package:miniwob/html/miniwob/{env}.html",
        "wait globalThis.episodeBegun && WOB_TASK_READY",
    )
