"""The guard: nothing that is refused reaches the phone, whatever the agent does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from distrl.assembly import make_devices
from distrl.collect.faults import Resumable
from distrl.config import DeviceConfig, SafetyConfig, resolve
from distrl.devices import guard as guarding
from distrl.devices.guard import GuardedDevice, guard
from distrl.devices.safety_rules import Rules, Surroundings, rules_from
from distrl.devices.simulated import build as build_simulated
from distrl.devices.veil import Veil
from distrl.errors import ConfigError, DeviceError, TaskError
from distrl.imaging import decode_array, encode_image
from distrl.interfaces import Device, Repairable
from distrl.records import Action, ActionKind, Condition, Observation, Point, Task, UiNode
from distrl.testing.device_contract import DEVICE_CONTRACT, Clause
from distrl.testing.repair_contract import REPAIR_CONTRACT

T = TypeVar("T")
WIDTH, HEIGHT = 400, 800
SHOP, MAIL, HOME = "com.example.shop", "com.example.mail", "com.example.homescreen"
TASK = Task("t", "Do it", "s", "train", 5, probes={"answer": "echo 1"})
DANGERS = ("Uninstall", "PAY NOW", "Zahlungspflichtig bestellen", "Erase  all data", "Pay $12.99", "立即支付")
HARMLESS = ("Search", "Add to cart", "Settings", "Payment methods", "", "加入购物车")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def node(text: str, place: int = 0, **more: Any) -> UiNode:
    """A button in one of eight rows."""
    bounds = (0, place * 100, WIDTH, place * 100 + 100)
    button = UiNode("Button", text, "", "", SHOP, bounds, clickable=True)
    return msgspec.structs.replace(button, **more)


def tap(place: int) -> Action:
    return Action(ActionKind.TAP, point=Point(0.5, (place * 100 + 50) / HEIGHT))


class Phone:
    """A phone that shows what the test wants, and keeps what reaches it."""

    def __init__(self, rows: tuple[str, ...] = ("Search",), app: str = SHOP, brand: str = "acme") -> None:
        self.id = "phone"
        self.rows, self.app, self.brand = rows, app, brand
        self.with_tree = True
        self.stubborn = False  # neither BACK nor HOME leads out
        self.received: list[Action] = []
        self.hurt = False
        self.calls: list[str] = []
        self.leads_to: str | None = None  # the app that any tap opens

    async def open(self) -> None:
        pass

    async def reset(self, task: Task, seed: int) -> None:
        self.calls.append("reset")

    async def observe(self) -> Observation:
        ui = tuple(node(text, place, package=self.app) for place, text in enumerate(self.rows))
        picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        picture[::2, ::2] = 255
        return Observation(
            encode_image(Image.fromarray(picture)),
            WIDTH,
            HEIGHT,
            ui if self.with_tree else None,
            self.app,
            1.0,
        )

    async def act(self, action: Action) -> None:
        self.received.append(action)
        self.hurt = self.hurt or hurts(action, self)
        if action.kind is ActionKind.TAP and self.leads_to:
            self.app = self.leads_to
        if action.kind is ActionKind.HOME and not self.stubborn:
            self.app = HOME
        if action.kind is ActionKind.OPEN_APP:
            self.app = str(action.text)

    async def probe(self, command: str) -> str:
        self.calls.append(command)
        if command.startswith("getprop"):
            return self.brand + "\n"
        if "resolve-activity" in command:
            return f"priority=0\n{HOME}/.Main\n"
        return f"package:{SHOP}\npackage:{MAIL}\n" if command.startswith("pm list") else "1"

    async def close(self) -> None:
        pass


class SturdyPhone(Phone):
    """One that can be repaired, and tells when it restarts."""

    def remedies(self) -> tuple[str, ...]:
        return ("reconnect", "reboot")

    async def repair(self, remedy: str) -> None:
        self.calls.append(remedy)

    async def boot_id(self) -> str:
        return "b"


class Notes(list[tuple[str, str, str]]):
    def __call__(self, kind: str, **fields: object) -> None:
        self.append((kind, str(fields["action"]), str(fields["why"])))


async def opened(phone: Device, notes: Notes | None = None, **safety: Any) -> GuardedDevice:
    config = SafetyConfig(**({"allowed_apps": (SHOP,)} | safety))
    device = guard(phone, DeviceConfig(kind="adb"), config, notes if notes is not None else Notes())
    assert isinstance(device, GuardedDevice)
    await device.open()
    return device


# --- whatever the agent does --------------------------------------------------------------------

points = st.builds(Point, st.floats(0, 1), st.floats(0, 1))
actions = st.one_of(
    st.builds(lambda p: Action(ActionKind.TAP, point=p), points),
    st.builds(lambda p: Action(ActionKind.LONG_PRESS, point=p), points),
    st.builds(lambda p, q: Action(ActionKind.SWIPE, point=p, to=q), points, points),
    st.builds(lambda t: Action(ActionKind.TYPE, text=t), st.sampled_from(["hello", "a\n", "uninstall"])),
    st.builds(
        lambda t: Action(ActionKind.OPEN_APP, text=t),
        st.sampled_from([SHOP, MAIL, "shop", "mail", "Chrome", SHOP.upper(), "com.bank.app"]),
    ),
    st.sampled_from(
        [
            Action(k)
            for k in (ActionKind.ENTER, ActionKind.BACK, ActionKind.HOME, ActionKind.WAIT, ActionKind.DONE)
        ]
    ),
)
moves = st.lists(
    st.tuples(
        actions,
        st.lists(st.sampled_from(DANGERS + HARMLESS), min_size=1, max_size=8),
        st.sampled_from([SHOP, SHOP, HOME, MAIL, "com.my.bank.app", ""]),
        st.booleans(),  # whether the agent looks before it acts
    ),
    max_size=8,
)


def hurts(action: Action, phone: Phone) -> bool:
    """The phone's own opinion, by the row that a finger lands on."""
    if action.kind is ActionKind.OPEN_APP:
        return action.text != SHOP
    if action.kind in (ActionKind.BACK, ActionKind.HOME, ActionKind.WAIT, ActionKind.DONE):
        return False
    if phone.app not in (SHOP, HOME):
        return True
    touched = [int(p.y * HEIGHT // 100) for p in (action.point, action.to) if p is not None]
    if action.kind is ActionKind.ENTER or "\n" in (action.text or ""):
        touched = list(range(len(phone.rows)))
    return any(row < len(phone.rows) and phone.rows[row] in DANGERS for row in touched)


@settings(max_examples=150, deadline=None)
@given(moves)
def test_nothing_that_hurts_reaches_the_phone(script: list[tuple[Action, list[str], str, bool]]) -> None:
    async def play() -> None:
        phone = Phone()
        device = await opened(phone)
        for action, rows, app, looks in script:
            phone.rows, phone.app = tuple(rows), app
            device._seen_at = 0.0  # what it saw is old: the screen has changed meanwhile
            if looks:
                seen = await device.observe()
                assert seen.app in (SHOP, HOME, "")
            await device.act(action)
            assert not phone.hurt

    run(play())


@settings(max_examples=60, deadline=None)
@given(moves, st.sampled_from(["adb", "emulator", "simulated", "browser"]))
def test_a_dry_run_sends_nothing(script: list[tuple[Action, list[str], str, bool]], kind: str) -> None:
    async def play() -> None:
        phone, notes = SturdyPhone(), Notes()
        config = SafetyConfig(dry_run=True, allowed_apps=(SHOP,))
        device = guard(phone, DeviceConfig(kind=kind), config, notes)
        await device.open()
        del phone.calls[:]
        await device.reset(TASK, 0)
        for action, rows, app, _ in script:
            phone.rows, phone.app = tuple(rows), app
            await device.act(action)
            await device.observe()
        with pytest.raises(DeviceError, match="dry run"):
            await device.probe("echo 1")
        assert isinstance(device, Repairable)
        with pytest.raises(DeviceError):
            await device.repair("reboot")
        await device.repair("reconnect")
        assert phone.received == []
        assert phone.calls == ["reconnect"]
        told = [entry for entry in notes if entry[0] == "dry_run"]
        assert len(told) == 1 + len(script)

    run(play())


# --- rule by rule ---------------------------------------------------------------------------------


def reaches(action: Action, rows: tuple[str, ...], notes: Notes | None = None, **safety: Any) -> bool:
    async def play() -> bool:
        phone = Phone(rows)
        device = await opened(phone, notes, **safety)
        await device.observe()
        await device.act(action)
        return bool(phone.received)

    return run(play())


@pytest.mark.parametrize(
    "label", [*DANGERS, "désinstaller", "DESINSTALLER", "Un\u00adinstall", "Buy for 3 €"]
)
def test_dangerous_buttons_are_not_touched(label: str) -> None:
    notes = Notes()
    assert not reaches(tap(1), ("Search", label), notes)
    assert notes[0][0] == "refused"


@pytest.mark.parametrize("label", [*HARMLESS, "Payment methods", "Installed apps", "Paying guests", "Repay"])
def test_other_buttons_are(label: str) -> None:
    assert reaches(tap(1), ("Search", label))


def test_words_can_be_added_and_lifted() -> None:
    assert not reaches(tap(0), ("Feed the cat",), refused_words=("feed the cat",))
    assert reaches(tap(0), ("Buy now",), permitted=("buy now",))
    assert not reaches(tap(0), ("Buy now",), permitted=("uninstall",))
    assert not reaches(tap(0), ("Search", "Wire room"), refused_screens=("wire room",))


def test_what_a_button_contains_and_is_called_counts() -> None:
    rules = rules_from(SafetyConfig(allowed_apps=(SHOP,)), {})
    row = node("", 0)
    label = node("Uninstall", 0, bounds=(300, 20, 390, 60), clickable=False, parent=0)
    picture = run(Phone().observe())

    def why(*ui: UiNode) -> str:
        return rules.objection(tap(0), msgspec.structs.replace(picture, ui=ui), Surroundings())

    assert "uninstall" in why(row, label)
    assert "pay now" in why(node("", 0, resource_id="com.example:id/btn_payNow"))
    assert "pay now" in why(node("", 0, description="Pay now"))
    assert not why(node("uninstall", 0, editable=True))  # typed into a field, not written on a button
    assert "com.android.systemui" in why(row, node("Wi-Fi", 0, package="com.android.systemui", parent=0))


def test_a_screen_without_a_tree_is_not_touched_unless_told_so() -> None:
    async def play(**safety: Any) -> int:
        phone = Phone()
        phone.with_tree = False
        device = await opened(phone, **safety)
        await device.observe()
        await device.act(tap(0))
        await device.act(Action(ActionKind.BACK))
        return len(phone.received)

    assert run(play()) == 1
    assert run(play(without_tree=True)) == 2


def test_apps_are_opened_by_package_and_only_allowed_ones() -> None:
    async def play() -> list[str | None]:
        phone = Phone()
        device = await opened(phone)
        for name in ("shop", SHOP, "mail", MAIL, "Chrome", "nonsense"):
            await device.act(Action(ActionKind.OPEN_APP, text=name))
        return [action.text for action in phone.received]

    assert run(play()) == [SHOP, SHOP]


def test_any_app_is_allowed_but_the_refused() -> None:
    rules = rules_from(SafetyConfig(allowed_apps=("any",), refused_apps=("com.example.m*",)), {})
    assert rules.is_allowed(SHOP)
    assert not rules.is_allowed(MAIL)
    assert not rules.is_allowed("com.google.android.packageinstaller")


def test_names_of_allowed_apps_mean_their_packages() -> None:
    rules = rules_from(SafetyConfig(allowed_apps=("Clock", "My shop")), {"my shop": SHOP})
    assert rules.is_allowed("com.google.android.deskclock")
    assert rules.is_allowed(SHOP)
    with pytest.raises(ConfigError, match="nobody knows the package of 'Nonsense'"):
        rules_from(SafetyConfig(allowed_apps=("Nonsense",)), {})


def test_who_ends_up_elsewhere_is_sent_back() -> None:
    async def play() -> tuple[Phone, Notes, Observation]:
        phone, notes = Phone(), Notes()
        phone.leads_to = MAIL
        device = await opened(phone, notes)
        await device.observe()
        await device.act(tap(0))
        return phone, notes, await device.observe()

    phone, notes, seen = run(play())
    assert seen.app == HOME
    assert [action.kind.value for action in phone.received] == ["tap", "back", "home"]
    assert notes == [("sent_back", "home", f"{MAIL} is not allowed")]


def test_a_phone_that_stays_elsewhere_is_given_up() -> None:
    async def play() -> None:
        phone = Phone(app=MAIL)
        phone.stubborn = True
        await (await opened(phone)).observe()

    with pytest.raises(DeviceError, match=r"safety\.allowed_apps"):
        run(play())


def test_an_old_screen_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> int:
        phone = Phone(("Search",))
        device = await opened(phone)
        await device.observe()
        phone.rows = ("Uninstall",)
        monkeypatch.setattr(device, "_seen_at", time.monotonic() - guarding.STALE_S - 1)
        await device.act(tap(0))
        return len(phone.received)

    assert run(play()) == 0


def test_commands_of_tasks_that_destroy_are_refused() -> None:
    async def play(task: Task, **safety: Any) -> list[str]:
        phone = Phone()
        device = await opened(phone, **safety)
        await device.reset(task, 0)
        return phone.calls

    bad = msgspec.structs.replace(TASK, setup=("content delete --uri content://contacts",))
    with pytest.raises(TaskError, match="content delete"):
        run(play(bad))
    assert "reset" in run(play(bad, all_commands=True))
    assert "reset" in run(play(msgspec.structs.replace(TASK, setup=("settings put system x 1",))))
    with pytest.raises(TaskError, match="rm -r"):
        run(
            play(
                msgspec.structs.replace(
                    TASK, probes={"a": "rm -r /sdcard"}, check=(Condition("a", "lacks", "x"),)
                )
            )
        )


# --- who is guarded -------------------------------------------------------------------------------


def test_without_allowed_apps_a_persons_phone_is_not_used() -> None:
    with pytest.raises(ConfigError, match=r"safety\.allowed_apps"):
        run(opened(Phone(), allowed_apps=()))


def test_a_simulated_phone_behind_adb_needs_no_guard() -> None:
    async def play() -> int:
        phone = Phone(("Uninstall",), app=MAIL, brand="simphone")
        device = await opened(phone, allowed_apps=(), pictures="blank")
        assert int(decode_array((await device.observe()).screenshot).max()) == 255
        await device.act(tap(0))
        return len(phone.received)

    assert run(play()) == 1


def test_kinds_and_the_deliberate_setting() -> None:
    kinds = ("simulated", "adb", "adb", "adb")
    rest: tuple[list[str], ...] = (
        [],
        [],
        ["safety.guard=false"],
        ["safety.guard=false", "safety.dry_run=true"],
    )
    found = [
        make_devices(resolve(overrides=[f"device.kind={kind}", *more]), 1, 0)[0]
        for kind, more in zip(kinds, rest, strict=True)
    ]
    assert [isinstance(device, GuardedDevice) for device in found] == [False, True, False, True]


def test_optional_abilities_pass_through() -> None:
    plain, sturdy = run(opened(Phone())), run(opened(SturdyPhone()))
    assert not isinstance(plain, Repairable)
    assert not isinstance(plain, Resumable)
    assert isinstance(sturdy, Repairable)
    assert isinstance(sturdy, Resumable)
    assert sturdy.remedies() == ("reconnect", "reboot")


def test_a_list_may_be_written_with_commas() -> None:
    safety = resolve(overrides=["safety.allowed_apps=clock, com.example.shop"]).safety
    assert safety.allowed_apps == ("clock", "com.example.shop")


# --- what is shown --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pictures", "app", "sharp"),
    [
        ("sharp", HOME, True),
        ("outside", SHOP, True),
        ("outside", HOME, False),
        ("blur", SHOP, False),
        ("blank", SHOP, False),
    ],
)
def test_pictures_are_veiled_for_everybody(pictures: str, app: str, sharp: bool, tmp_path: Path) -> None:
    async def play() -> tuple[Observation, int]:
        phone = Phone(("Hello Anna", "Uninstall"), app=app)
        device = await opened(phone, pictures=pictures, originals=str(tmp_path))
        seen = await device.observe()
        await device.act(tap(1))  # the guard itself reads what is veiled
        return seen, len(phone.received)

    seen, received = run(play())
    picture = decode_array(seen.screenshot).astype(int)
    assert (np.ptp(picture) == 255) == sharp
    assert np.ptp(picture) < 16 or sharp
    assert picture.max() > 8  # never black, which would count as a fault
    assert seen.ui is not None
    assert bool(seen.ui[0].text) == (app == SHOP or pictures == "sharp")
    assert received == 0
    assert len(list(tmp_path.rglob("*.jpg"))) == (not sharp)


# --- contracts ------------------------------------------------------------------------------------

SIM_TASK = Task("t", "Look", "s", "train", 5, probes={"airplane": "settings get global airplane_mode_on"})


def guarded_simulated() -> Device:
    """A simulated phone with the guard fully at work, all its apps being allowed."""
    inner = build_simulated(DeviceConfig(), index=0, seed=0)
    return GuardedDevice(
        inner, Rules(frozenset({"any"}), refused_apps=()), veil=Veil("outside"), note=Notes()
    )


@pytest.mark.parametrize(
    "clause", [*DEVICE_CONTRACT, *REPAIR_CONTRACT], ids=lambda clause: str(clause.__name__)
)
def test_contracts(clause: Clause, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarding, "SIMULATED_BRAND", "nobody")
    run(clause(guarded_simulated, SIM_TASK))
