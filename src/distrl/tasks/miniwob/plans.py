"""How an expert solves those of MiniWoB++'s tasks whose goal says which elements to touch.

A plan acts on labels, as on phones; it sees neither the page's code nor its answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from distrl.interfaces import PlanStep
from distrl.tasks.templates import commit, switch, tap, write

Plan = tuple[PlanStep, ...]
_SUBMIT = commit("Submit")


def _choose(labels: str) -> Plan:
    """Check boxes with these labels, then submit."""
    wanted = [] if labels == "nothing" else labels.split(", ")
    return (*(switch(label, on=True) for label in wanted), _SUBMIT)


def _button(label: str) -> Plan:
    return (commit(label),)


def _enter(text: str) -> Plan:
    return (write(text), _SUBMIT)


def _log_in(user: str, password: str) -> Plan:
    return (write(user, into="#username"), write(password, into="#password"), commit("Login"))


def _twice(password: str) -> Plan:
    return (write(password, into="#password"), write(password, into="#verify"), _SUBMIT)


def _in_case(text: str, case: str) -> Plan:
    return _enter(text.upper() if case == "upper" else text.lower())


def _from_list(item: str) -> Plan:
    return (tap("#options"), tap(item), _SUBMIT)


def _dialog(label: str) -> Plan:
    return (commit("Close" if label == "x" else label),)


_RULES: dict[str, tuple[str, Callable[..., Plan]]] = {
    "choose-list": (r"Select (.+) from the list and click Submit\.", _from_list),
    "click-button": (r'Click on the "(.+)" button\.', _button),
    "click-button-sequence": (r"Click button ONE, .+", lambda: (commit("ONE"), commit("TWO"))),
    "click-checkboxes": (r"Select (.+) and click Submit\.", _choose),
    "click-checkboxes-large": (r"Select (.+) and click Submit\.", _choose),
    "click-checkboxes-transfer": (r"Select (.+) and click Submit\.", _choose),
    "click-dialog": (r"Close the dialog box .+", lambda: _dialog("x")),
    "click-dialog-2": (r'Click the button in the dialog box labeled "(.+)"\.', _dialog),
    "click-link": (r'Click on the link "(.+)"\.', _button),
    "click-option": (r"Select (.+) and click Submit\.", _choose),
    "click-tab": (r"Click on (Tab #\d)\.", _button),
    "click-test": (r"Click the button\.", lambda: _button("Click Me!")),
    "click-test-2": (r"Click button (ONE)\.", _button),
    "click-test-transfer": (r"Click button (\w+)\.", _button),
    "email-inbox-delete": (
        r"Find the email by (\w+) and click the trash icon to delete it\.",
        lambda name: (PlanStep("scroll_to", name), commit("#trash", within=name)),
    ),
    "email-inbox-important": (
        r"Find the email by (\w+) and click the star icon to mark it as important\.",
        lambda name: (PlanStep("scroll_to", name), commit("#star", within=name)),
    ),
    "enter-password": (r'Enter the password "(.+)" into both text fields and press submit\.', _twice),
    "enter-text": (r'Enter "(.+)" into the text field and press Submit\.', _enter),
    "enter-text-2": (r'Type "(.+)" in all (\w+) case letters .+', _in_case),
    "enter-text-dynamic": (r'Enter "(.+)" into the text field and press Submit\.', _enter),
    "focus-text": (r"Focus into the textbox\.", lambda: _button("#tt")),
    "focus-text-2": (r"Focus into the (\d)\w\w input textbox\.", lambda place: _button(f"#tt{place}")),
    "login-user": (r'Enter the username "(.+)" and the password "(.+)" into .+', _log_in),
    "unicode-test": (r'Click on the "(.+)" button\.', _button),
}


def plan_for(env: str, goal: str) -> Plan | None:
    """The plan of a task, if there is one."""
    pattern, make = _RULES.get(env, ("", None))
    found = re.fullmatch(pattern, goal) if make is not None else None
    return None if found is None or make is None else make(*found.groups())
