"""Calculator: a keypad, the history of calculations, and a converter of units."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from distrl.simphone.app import App, Context, go
from distrl.simphone.apps.calculator.arithmetic import has_value, result, written
from distrl.simphone.apps.calculator.data import PREFERENCES, TABLES, CalculatorData, fill
from distrl.simphone.apps.calculator.units import UNITS, convert
from distrl.simphone.scene import END, WIDTH, Message
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Card,
    Chip,
    Chips,
    Column,
    Dialog,
    Divider,
    Empty,
    Gap,
    Grid,
    IconButton,
    Menu,
    Page,
    Row,
    Surface,
    Text,
    TextField,
    Widget,
)
from distrl.simphone.widgets.keys import Key, KeyKind

Ctx = Context[CalculatorData]
LONGEST = 60
OPERATORS = "+−×÷^"
KEYS = ("C", "%", "⌫", "÷", "7", "8", "9", "×", "4", "5", "6", "−", "1", "2", "3", "+", "00", "0", ".", "=")
EXTRA_KEYS = ("(", ")", "sqrt", "^", "pi", "!")
DISPLAY_HEIGHT = 160
WORDS = ("sqrt(", "pi")
"""What one key writes and one touch of the erase key takes away."""


def _key(sign: str) -> Key:
    if sign == "⌫":
        return Key("", ("erase",), "raised", "backspace", tall=66, name="del")
    kind: KeyKind = "tonal" if sign in "C%÷×−+" else "filled" if sign == "=" else "raised"
    message: Message = {"C": ("clear",), "=": ("equals",)}.get(sign, ("sign", sign))
    return Key(sign, message, kind, tall=66, size=24)


PAD = Grid([_key(sign) for sign in KEYS], 4, 8, 20)
EXTRA_PAD = Grid(
    [Key(sign, ("sign", "sqrt(" if sign == "sqrt" else sign), size=17, tall=40) for sign in EXTRA_KEYS],
    6, 6, 20,
)  # fmt: skip


def build_main(ctx: Ctx) -> Surface:
    """The display and the keys."""
    data = ctx.data
    shown = data.expression or "0"
    size = 44 if len(shown) < 12 else 32 if len(shown) < 18 else 22
    worth = not data.done and any(sign in data.expression for sign in f"{OPERATORS}%!(p")
    preview = result(data.expression) if worth and has_value(data.expression) else ""
    formula = Text(shown, size, align=END, max_lines=2, name="formula")
    outcome = Text(preview or " ", 22, "faint", align=END, max_lines=1, name="result")
    used = formula.height(ctx.look, WIDTH) + outcome.height(ctx.look, WIDTH)
    body: list[Widget] = [
        Gap(max(4, DISPLAY_HEIGHT - used)),
        formula,
        outcome,
        Gap(8),
        EXTRA_PAD,
        Gap(4),
        PAD,
    ]
    actions = [
        IconButton("history", go("history"), "", "history", "text"),
        IconButton("straighten", go("converter"), "", "converter", "text"),
    ]
    return Page(Column(body, "keys"), AppBar("Calculator", False, actions, go("menu")))


def build_menu(ctx: Ctx) -> Surface:
    """Where else to go."""
    del ctx
    return Menu(
        [
            ("History", ("open", "history")),
            ("Unit converter", ("open", "converter")),
            ("Clear history", ("open", "clear_history")),
        ]
    )


def build_history(ctx: Ctx) -> Surface:
    """Earlier calculations, the latest first; a tap takes the result into the display."""
    rows: list[Widget] = []
    if rows_shown := list(reversed(ctx.data.history)):
        if ctx.chance("calculator_tip") < 0.4 and ctx.data.preferences.get("tip_dismissed") != "1":
            tip = Row(
                title="Reuse a result",
                subtitle="Tap a line to calculate on with it.",
                icon="lightbulb",
                end_icon="close",
                on_end=("dismiss_tip",),
            )
            rows.append(Card([tip], inner=0, outlined=True))
        for line in rows_shown:
            rows.append(
                Row(
                    title=f"= {line.result}",
                    subtitle=line.expression,
                    on_tap=("reuse", line.id),
                    on_long_press=("hold", line.id),
                    bold=True,
                )
            )
            rows.append(Divider(16))
    else:
        rows.append(Empty("history", "No calculations yet"))
    bin_ = IconButton("delete_sweep", go("clear_history"), "", "clear_history", "text")
    return Page(Column(rows, "history_list"), AppBar("History", actions=[bin_]))


def build_clear_history(ctx: Ctx) -> Surface:
    """The question before the history goes."""
    text = f"All {len(ctx.data.history)} calculations will be removed."
    return Dialog("Clear history?", text, actions=[("Cancel", ("@back",)), ("Clear", ("clear_history",))])


def build_line(ctx: Ctx) -> Surface:
    """What can be done with a line of the history that was held."""
    line = next((line for line in ctx.data.history if line.id == ctx.arg_int("id")), None)
    rows = [Row(title="Remove", icon="delete", on_tap=("remove", ctx.arg_int("id")))]
    return Dialog(f"{line.expression} = {line.result}" if line is not None else "Calculation", body=rows)


def _units(ctx: Ctx) -> tuple[str, str, str]:
    """The converter's quantity and its two units, whatever the preferences say."""
    values = {**PREFERENCES, **ctx.data.preferences}
    quantity = values["quantity"] if values["quantity"] in UNITS else "Length"
    units = list(UNITS[quantity])
    source = values["from_unit"] if values["from_unit"] in units else units[0]
    target = values["to_unit"] if values["to_unit"] in units else units[1]
    return quantity, source, target


def build_converter(ctx: Ctx) -> Surface:
    """A value in one unit, and the same in another."""
    quantity, source, target = _units(ctx)
    typed = ctx.text("value").strip().replace(",", ".").replace("−", "-")
    try:
        value = Decimal(typed) if typed and len(typed) < 16 else Decimal(0)
        outcome = written(convert(quantity, source, target, value)) if value.is_finite() else "—"
    except InvalidOperation:
        outcome = "—"
    chips = [Chip(name, ("quantity", name), name == quantity) for name in UNITS]
    swap = IconButton("swap_vert", ("swap",), "", "swap", "primary")
    body: list[Widget] = [
        Chips(ctx.shuffled(chips, "quantities"), "quantities"),
        Gap(8),
        Row(title="From", subtitle=source, on_tap=go("unit", key="from_unit"), trailing="chevron"),
        TextField("value", "Value", numeric=True, size=20),
        Across([Gap(1), swap, Gap(1)], (0, 48, 0)),
        Row(title="To", subtitle=target, on_tap=go("unit", key="to_unit"), trailing="chevron"),
        Card([Text(outcome, 30, bold=True, name="converted"), Text(target, 14, "faint")]),
    ]
    return Page(Column(body, "converter"), AppBar("Unit converter"))


def build_unit(ctx: Ctx) -> Surface:
    """The choice of a unit."""
    key = ctx.arg_str("key", "from_unit")
    quantity, source, target = _units(ctx)
    now = source if key == "from_unit" else target
    rows = [
        Row(title=name, trailing="radio", checked=name == now, on_tap=("unit", key, name))
        for name in UNITS[quantity]
    ]
    return Dialog("From" if key == "from_unit" else "To", body=rows, actions=[("Cancel", ("@back",))])


def _sign(data: CalculatorData, sign: str) -> None:
    """Put a sign at the end of the display, as a patient calculator does."""
    text = data.expression
    if data.done and (sign not in OPERATORS + "%!" or not has_value(text)):
        text = ""
    data.done = False
    if sign in OPERATORS:
        if not text and sign != "−":
            return
        while text and text[-1] in OPERATORS and not (sign == "−" and text[-1] in "×÷^"):
            text = text[:-1]
    if sign == "." and "." in text[len(text.rstrip("0123456789.")) :]:
        return
    data.expression = (text + sign)[:LONGEST]


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    data = ctx.data
    match message:
        case ("sign", str(sign)):
            _sign(data, sign)
        case ("erase",):
            word = next((word for word in WORDS if data.expression.endswith(word)), " ")
            data.expression, data.done = "" if data.done else data.expression[: -len(word)], False
        case ("clear",):
            data.expression, data.done = "", False
        case ("equals",) if data.expression and not data.done:
            outcome = result(data.expression)
            if has_value(data.expression):
                data.keep(data.expression, outcome)
                data.expression, data.done = outcome.replace("-", "−"), True
            else:
                ctx.toast(outcome)
        case ("open", str(page)):
            ctx.replace(page)
        case ("reuse", int(number)):
            line = next((line for line in data.history if line.id == number), None)
            if line is not None:
                data.expression, data.done = line.result.replace("-", "−"), True
            ctx.back()
        case ("hold", int(number)):
            ctx.go("line", id=number)
        case ("remove", int(number)):
            data.remove(number)
            ctx.back()
        case ("clear_history",):
            data.history = []
            ctx.back()
            ctx.toast("History cleared")
        case ("dismiss_tip",):
            data.preferences["tip_dismissed"] = "1"
        case _:
            _convert(ctx, message)


def _convert(ctx: Ctx, message: Message) -> None:
    """Answer what was touched in the converter."""
    quantity, source, target = _units(ctx)
    match message:
        case ("quantity", str(name)) if name in UNITS and name != quantity:
            first, second, *_ = UNITS[name]
            ctx.data.preferences.update(quantity=name, from_unit=first, to_unit=second)
        case ("unit", str(key), str(name)):
            ctx.data.preferences[key] = name
            ctx.back()
        case ("swap",):
            ctx.data.preferences.update(from_unit=target, to_unit=source)


CALCULATOR = App(
    package="com.android.calculator2",
    label="Calculator",
    icon="calculate",
    colour=(94, 102, 116),
    data=CalculatorData,
    fill=fill,
    pages={
        "main": build_main,
        "menu": build_menu,
        "history": build_history,
        "clear_history": build_clear_history,
        "line": build_line,
        "converter": build_converter,
        "unit": build_unit,
    },
    update=update,
    tables=TABLES,
    activity=".Calculator",
)
