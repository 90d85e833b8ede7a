"""What the calculator remembers: what stands in its display, earlier calculations, the converter's units."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.calculator.arithmetic import result
from distrl.simphone.apps.preferences import preference_table
from distrl.simphone.chance import generator
from distrl.simphone.world import World

PREFERENCES = {"quantity": "Length", "from_unit": "Miles", "to_unit": "Kilometres", "tip_dismissed": "0"}
KEPT = 200


class Calculation(msgspec.Struct):
    """One line of the history; signs as they are on the keys."""

    id: int
    expression: str
    result: str


class CalculatorData(msgspec.Struct):
    """The display and the history, oldest first; `done` after = was pressed."""

    history: list[Calculation]
    next_id: int
    expression: str = ""
    done: bool = False
    preferences: dict[str, str] = msgspec.field(default_factory=lambda: dict(PREFERENCES))

    def keep(self, expression: str, outcome: str) -> None:
        """Add a line to the history."""
        self.history.append(Calculation(self.next_id, expression, outcome))
        self.next_id += 1
        del self.history[:-KEPT]

    def remove(self, row: int) -> None:
        """Delete a line of the history."""
        self.history = [line for line in self.history if line.id != row]


def fill(world: World) -> CalculatorData:
    """Some calculations that were made before."""
    random = generator("calculator", world.seed)
    data = CalculatorData([], 1)
    for _ in range(random.randint(9, 14)):
        first, second = random.randint(2, 480), random.randint(2, 60)
        expression = random.choice((
            f"{first}+{second}", f"{first}×{second}", f"{first}−{second}", f"{first}÷{second}",
            f"{first}+{second}%", f"{first}.{second}×{random.randint(2, 9)}", f"({first}+{second})×3",
        ))  # fmt: skip
        data.keep(expression, result(expression))
    return data


def _history(data: CalculatorData, world: World) -> list[Cells]:
    del world
    return [{"_id": line.id, "expression": line.expression, "result": line.result} for line in data.history]


def _insert(data: CalculatorData, bound: Mapping[str, str]) -> None:
    expression = bound.get("expression", "")[:60]
    data.keep(expression, bound.get("result") or result(expression))


def _display(data: CalculatorData, world: World) -> list[Cells]:
    del world
    outcome = result(data.expression) if data.expression else ""
    return [{"_id": 1, "expression": data.expression, "result": outcome, "done": int(data.done)}]


def _update_display(data: CalculatorData, row: int, bound: Mapping[str, str]) -> None:
    del row
    data.expression, data.done = bound.get("expression", data.expression)[:60], False


TABLES: dict[str, Table[CalculatorData]] = {
    "history": Table(_history, _insert, None, CalculatorData.remove),
    "display": Table(_display, None, _update_display),
    "preferences": preference_table(lambda data: data.preferences, PREFERENCES),
}
