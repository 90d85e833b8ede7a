"""The expert on a paper phone: pages of labelled boxes, with transitions that a test can follow by eye."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
import pytest
from msgspec.structs import replace

from distrl.agents.expert import Expert, Stray
from distrl.agents.languages.own import OwnLanguage
from distrl.interfaces import PlanStep
from distrl.records import Action, ActionKind, Decision, Observation, Point, Situation, Step, UiNode
from distrl.testing.trajectories import make_screenshot

WIDTH, HEIGHT, ROW = 400, 800, 100
SHOWN = 6  # rows on a page
PICTURE = make_screenshot()


def plan(*steps: tuple[str, ...]) -> list[PlanStep]:
    return [PlanStep(*step) for step in steps]


@dataclass
class PaperPhone:
    """Pages of rows: "Name>page" leads on, "Name?" is a switch, "Name=" a field, "Name!" counts its taps."""

    pages: dict[str, list[str]]
    page: str = "home"
    scrolled: int = 0
    switches: dict[str, bool] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    focus: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    stack: list[str] = field(default_factory=list)
    drops: int = 0  # how many of the next taps get lost

    def rows(self) -> list[str]:
        return self.pages[self.page][self.scrolled : self.scrolled + SHOWN]

    def ui(self) -> tuple[UiNode, ...]:
        nodes = [UiNode("List", "", "", "", "app", (0, 0, WIDTH, SHOWN * ROW), scrollable=True)]
        for number, row in enumerate(self.rows()):
            name, kind = row.rstrip("?=!").partition(">")[0], row[-1]
            box = (0, number * ROW, WIDTH, (number + 1) * ROW)
            text, description = name, ""
            if kind == "!":
                description = f"tapped {self.counts.get(name, 0)} times"
            if kind == "=":
                text, description = self.texts.get(name) or name, name if self.texts.get(name) else ""
            nodes.append(
                UiNode(
                    "android.widget.Button",
                    text,
                    description,
                    "",
                    "app",
                    box,
                    0,
                    clickable=True,
                    editable=kind == "=",
                    focused=self.focus == name,
                    checkable=kind == "?",
                    checked=self.switches.get(name, False),
                )
            )
        return tuple(nodes)

    def act(self, action: Action) -> None:
        if action.kind is ActionKind.OPEN_APP:
            self._go("main")
        elif action.kind is ActionKind.BACK:
            self.page = self.stack.pop() if self.stack else "home"
            self.scrolled, self.focus = 0, ""
        elif action.kind is ActionKind.TYPE and self.focus:
            self.texts[self.focus] = action.text or ""
        elif action.kind is ActionKind.SWIPE and action.point and action.to:
            last = max(0, len(self.pages[self.page]) - SHOWN)
            step = 4 if action.to.y < action.point.y else -4
            self.scrolled = min(max(self.scrolled + step, 0), last)
        elif action.kind is ActionKind.TAP and self.drops:
            self.drops -= 1
        elif action.kind is ActionKind.TAP and action.point:
            number = int(action.point.y * HEIGHT // ROW)
            if number < len(self.rows()):
                self._touch(self.rows()[number])

    def _touch(self, row: str) -> None:
        name, kind = row.rstrip("?=!"), row[-1]
        if ">" in row:
            self._go(row.partition(">")[2])
        elif kind == "?":
            self.switches[name] = not self.switches.get(name, False)
        elif kind == "=":
            self.focus = name
        elif kind == "!":
            self.counts[name] = self.counts.get(name, 0) + 1

    def _go(self, page: str) -> None:
        self.stack.append(self.page)
        self.page, self.scrolled, self.focus = page, 0, ""


@dataclass
class Run:
    """An episode on a paper phone."""

    phone: PaperPhone
    expert: Expert
    past: list[Step] = field(default_factory=list)

    def step(self, instead: Action | None = None) -> Action:
        """Let the expert decide, and do that or something else; returns what the expert wanted."""
        app = "launcher" if self.phone.page == "home" else "app"
        seen = Observation(PICTURE, WIDTH, HEIGHT, self.phone.ui(), app, 0.0)
        chosen = self.expert.decide(Situation("goal", tuple(self.past), seen, 40))
        action = instead or chosen.action
        self.phone.act(action)
        decision = Decision(action, str(action), (), (), 0, "distrl", chosen.slip, chosen.meant)
        self.past.append(Step(seen, decision, 0.0))
        return chosen.meant or chosen.action

    def finish(self, limit: int = 40) -> Action:
        for _ in range(limit):
            action = self.step()
            if action.kind in (ActionKind.DONE, ActionKind.ANSWER):
                return action
        raise AssertionError(f"no end after {limit} steps: {[str(s.decision.action) for s in self.past]}")


PAGES = {
    "home": ["Clock!", "Camera!"],
    "main": ["Network>network", "Sound>sound", *(f"Item {n}!" for n in range(10)), "About>about"],
    "network": ["Wi-Fi?", "Data?"],
    "sound": ["Bell?"],
    "about": ["Name=", "City=", "Save!"],
}
WIFI = plan(("open_app", "App"), ("tap", "Network"), ("set", "Wi-Fi", "on"))
FORM = plan(
    ("open_app", "App"),
    ("tap", "About"),
    ("type", "Name", "Ada"),
    ("type", "City", "Oslo"),
    ("tap", "Save", "once"),
)


def start(steps: list[PlanStep], noise: float = 0.0, seed: int = 0, stray: Stray | None = None) -> Run:
    return Run(PaperPhone(dict(PAGES)), Expert(steps, seed=seed, noise=noise, stray=stray))


def middle_of(run: Run, label: str) -> Point:
    node = next(node for node in run.phone.ui() if node.label == label)
    return Point(0.5, (node.bounds[1] + node.bounds[3]) / 2 / HEIGHT)


def test_it_follows_the_plan_and_says_done() -> None:
    run = start(WIFI)
    assert run.finish().kind is ActionKind.DONE
    assert run.phone.switches == {"Wi-Fi": True}
    assert len(run.past) == 4


def test_a_switch_that_is_right_already_is_left_alone() -> None:
    run = start(WIFI)
    run.phone.switches["Wi-Fi"] = True
    run.finish()
    assert run.phone.switches == {"Wi-Fi": True}


def test_it_scrolls_to_what_is_out_of_sight_and_replaces_wrong_text() -> None:
    run = start(FORM)
    run.phone.texts["Name"] = "Bob"
    run.finish()
    assert run.phone.texts == {"Name": "Ada", "City": "Oslo"}
    assert run.phone.counts["Save"] == 1


def test_it_scrolls_back_up() -> None:
    run = start(plan(("open_app", "App"), ("scroll_to", "About"), ("tap", "Sound"), ("set", "Bell", "on")))
    run.finish()
    assert run.phone.switches == {"Bell": True}


def test_it_finds_back_after_a_wrong_turn() -> None:
    run = start(WIFI)
    run.step()
    wrong = Action(ActionKind.TAP, point=middle_of(run, "Sound"))
    assert run.step(instead=wrong).kind is ActionKind.TAP
    run.finish()
    assert run.phone.switches == {"Wi-Fi": True}


def test_it_undoes_what_an_accident_changed() -> None:
    run = start(FORM)
    while not run.phone.texts.get("City"):
        run.step()
    run.phone.texts["Name"] = "Adaxx"  # a stray finger on the keyboard
    run.step(instead=Action(ActionKind.WAIT))
    run.finish()
    assert run.phone.texts == {"Name": "Ada", "City": "Oslo"}
    assert run.phone.counts["Save"] == 1


def test_what_is_committed_is_never_repeated() -> None:
    steps = [*FORM, *plan(("back",), ("tap", "Sound"), ("set", "Bell", "on"))]
    run = start(steps)
    while not run.phone.counts.get("Save"):
        run.step()
    run.phone.page, run.phone.stack = "home", []
    run.finish()
    assert run.phone.counts["Save"] == 1
    assert run.phone.switches == {"Bell": True}


def test_a_pop_up_is_closed() -> None:
    run = start(WIFI)
    run.phone.pages["network"] = ["No thanks>network2"]
    run.phone.pages["network2"] = ["Wi-Fi?"]
    run.finish()
    assert run.phone.switches == {"Wi-Fi": True}


def test_a_touch_that_gets_lost_is_repeated() -> None:
    run = start(WIFI)
    run.step()
    run.phone.drops = 2
    run.finish()
    assert run.phone.switches == {"Wi-Fi": True}
    assert len(run.past) == 6


def test_what_must_happen_once_is_repeated_only_if_nothing_moved() -> None:
    run = start(FORM)
    while run.phone.texts.get("City") != "Oslo":
        run.step()
    run.phone.drops = 1
    run.finish()
    assert run.phone.counts["Save"] == 1


def window(package: str, *labels: str) -> Observation:
    """A window with an image button that says nothing and buttons with labels."""
    nodes = [UiNode("Frame", "", "", "", package, (0, 0, WIDTH, HEIGHT))]
    for number, label in enumerate(("", *labels)):
        kind = "android.widget.Button" if label else "android.widget.ImageButton"
        box = (0, 100 * number, WIDTH, 100 * number + 90)
        nodes.append(UiNode(kind, label, "", "", package, box, 0, clickable=True))
    return Observation(PICTURE, WIDTH, HEIGHT, tuple(nodes), "app", 0.0)


@pytest.mark.parametrize(
    ("labels", "row"),
    [
        (("Install",), 0),  # an advertisement: only its cross leads out
        (("Close app", "Wait"), 2),
        (("Turn on", "No thanks"), 2),
        (("While using the app", "Don't allow"), 2),
    ],
)
def test_a_window_of_the_system_is_closed_before_anything_else(labels: tuple[str, ...], row: int) -> None:
    expert = Expert(plan(("tap", "Install", "once")))
    seen = window("com.android.systemui", *labels)
    action = expert.decide(Situation("goal", (), seen, 15)).action
    assert action.kind is ActionKind.TAP
    assert action.point is not None
    assert action.point.y * HEIGHT // 100 == row


def test_a_dialog_that_can_be_cancelled_is_not_confirmed_on_the_way() -> None:
    expert = Expert(plan(("tap", "Wi-Fi")))
    action = expert.decide(Situation("goal", (), window("app", "Cancel", "OK"), 15)).action
    assert action.kind is ActionKind.BACK


def test_a_key_or_chip_is_on_if_it_is_selected() -> None:
    seen = window("app", "Monday", "Tuesday")
    assert seen.ui is not None
    chosen = tuple(
        msgspec.structs.replace(node, selected=node.text == "Monday") if node.text else node
        for node in seen.ui
    )
    expert = Expert(plan(("set", "Monday", "on"), ("set", "Tuesday", "on")))
    seen = msgspec.structs.replace(seen, ui=chosen)
    action = expert.decide(Situation("goal", (), seen, 15)).action
    assert action.point is not None
    assert action.point.y * HEIGHT // 100 == 2


def test_it_waits_for_a_screen_that_is_black_or_loading() -> None:
    expert = Expert(WIFI[1:])
    seen = Observation(PICTURE, WIDTH, HEIGHT, None, "", 0.0)
    assert expert.decide(Situation("goal", (), seen, 15)).action.kind is ActionKind.WAIT


def test_it_leaves_no_app_before_it_has_seen_what_it_came_for() -> None:
    expert = Expert(plan(("open_app", "Mail"), ("open_app", "Notes")))
    wheel = UiNode("android.widget.ProgressBar", "", "Loading", "", "mail", (0, 0, WIDTH, ROW))
    screens = [
        Observation(PICTURE, WIDTH, HEIGHT, nodes, app, 0.0)
        for nodes, app in (
            (PaperPhone(dict(PAGES)).ui(), "launcher"),
            ((wheel,), "mail"),
            ((replace(wheel, description="Done"),), "mail"),
        )
    ]
    past: list[Step] = []
    for seen in screens:
        past.append(Step(seen, expert.decide(Situation("goal", tuple(past), seen, 15)), 0.0))
    opened = [Action(ActionKind.OPEN_APP, text=name) for name in ("Mail", "Notes")]
    assert [step.decision.action for step in past] == [opened[0], Action(ActionKind.WAIT), opened[1]]


def test_an_answer_ends_the_episode() -> None:
    run = start(plan(("open_app", "App"), ("answer", "", "42")))
    assert run.finish() == Action(ActionKind.ANSWER, text="42")


def test_decisions_are_written_in_our_language() -> None:
    run = start(WIFI)
    run.step()
    app = run.past[-1].observation
    decision = Expert(WIFI).decide(Situation("goal", (), app, 15))
    assert (decision.tokens, decision.logprobs, decision.language) == ((), (), "distrl")
    assert OwnLanguage().parse(decision.output) == decision.action


@pytest.mark.parametrize("steps", [WIFI, FORM])
def test_noise_is_survived_most_of_the_time(steps: list[PlanStep]) -> None:
    solved = 0
    for seed in range(20):
        run = start(steps, noise=0.15, seed=seed)
        run.finish(60)
        right = run.phone.switches.get("Wi-Fi") or (
            run.phone.texts == {"Name": "Ada", "City": "Oslo"} and run.phone.counts["Save"] >= 1
        )
        solved += bool(right)
    assert solved >= 18


def test_noise_is_a_matter_of_the_seed_and_what_was_meant_is_told() -> None:
    first, second = start(WIFI, noise=0.5, seed=5), start(WIFI, noise=0.5, seed=5)
    wanted = [first.step() for _ in range(8)]
    assert [second.step() for _ in range(8)] == wanted
    done = [step.decision.action for step in first.past]
    assert done == [step.decision.action for step in second.past]
    assert done != wanted
    slips = [action != meant for action, meant in zip(done, wanted, strict=True)]
    assert [step.decision.slip for step in first.past] == slips
    assert [step.decision.meant is not None for step in first.past] == slips


def test_somebody_else_can_make_the_slips_and_is_told_what_was_meant() -> None:
    told: list[Action] = []

    def stray(_: Situation, meant: Action) -> Action:
        told.append(meant)
        return meant if len(told) > 2 else Action(ActionKind.HOME)

    run = start(WIFI, noise=1.0, stray=stray)
    wanted = [run.step() for _ in range(3)]
    assert told == wanted
    assert [step.decision.action for step in run.past] == [Action(ActionKind.HOME)] * 2 + wanted[2:]
    assert [step.decision.slip for step in run.past] == [True, True, False]
    assert [step.decision.meant for step in run.past] == [*wanted[:2], None]
