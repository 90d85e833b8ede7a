"""Tasks that a person writes in YAML; `docs/tasks.md` describes the format.

The file is read as YAML nodes instead of values: every fault can then name its line, and `on`, `1` or `08:00`
stay the text that was written.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from distrl.errors import TaskError
from distrl.interfaces import PlanStep
from distrl.records import CONDITION_OPS, Condition, Task
from distrl.tasks.lists import DEFAULT_MAX_STEPS, build_lists
from distrl.tasks.suite import PLAN_VERBS, TaskSuite, check_faults

_SUITE_KEYS = ("suite", "version", "max_steps", "tasks", "lists", "repeats")
_TASK_KEYS = ("id", "goal", "split", "family", "level", "max_steps", "setup", "probes", "check", "plan")
_PLAN_KEYS = ("value", "within", "into")
_VALUE_VERBS = ("type", "answer")  # whose word after the colon is the text, not a label
_BARE_VERBS = ("back", "home", "enter", "wait")


def load_file(path: str | Path) -> TaskSuite:
    """The suite in a YAML file; one TaskError lists every fault with its line."""
    path = Path(path)
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except OSError as error:
        raise TaskError(f"task file {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TaskError(f"task file {path} is not text in UTF-8") from error
    except yaml.YAMLError as error:
        raise TaskError(f"task file {path} is not YAML: {error}") from error
    reader = _Reader(path)
    suite = reader.read(root)
    if reader.faults or suite is None:
        lines = "".join(f"\n  - {fault}" for fault in reader.faults)
        raise TaskError(f"task file {path} has {len(reader.faults)} fault(s):{lines}")
    return suite


class _Reader:
    """Turns YAML nodes into records and collects the faults on the way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.faults: list[str] = []
        self._task = ""  # what is being read, for messages

    def read(self, root: yaml.Node | None) -> TaskSuite | None:
        if not isinstance(root, yaml.MappingNode):
            self.faults.append("the file does not hold `tasks:` and other keys; see docs/tasks.md")
            return None
        keys = self._mapping(root, _SUITE_KEYS)
        name = self._text(keys.get("suite"), self._path.stem)
        version = self._text(keys.get("version"), "1")
        max_steps = self._number(keys.get("max_steps"), DEFAULT_MAX_STEPS)
        if "lists" in keys:
            return self._read_lists(keys, name, version, max_steps)
        if "repeats" in keys:
            self._fault(keys["repeats"], "`repeats` says something about `lists`, of which there are none")
        entries = self._items(keys.get("tasks"), "tasks")
        if not entries:
            self._fault(keys.get("tasks", root), "there are no tasks")
        tasks: dict[str, Task] = {}
        plans: dict[str, tuple[PlanStep, ...]] = {}
        for node in entries:
            task, plan = self._read_task(node, name, max_steps)
            if task is None:
                continue
            if task.id in tasks:
                self._fault(node, "this id is used twice")
            self._compare_goals(node, task, tasks)
            tasks[task.id] = task
            if plan:
                plans[task.id] = plan
        return None if self.faults else TaskSuite(name, version, tasks.values(), plans)

    def _read_lists(
        self, keys: dict[str, yaml.Node], name: str, version: str, max_steps: int
    ) -> TaskSuite | None:
        """Text files with a goal on each line, by split; one file alone is dealt out to all splits."""
        node, repeats = keys["lists"], self._text(keys.get("repeats"), "refuse")
        if "tasks" in keys:
            self._fault(keys["tasks"], "a file has either `tasks` or `lists`, not both")
        if repeats not in ("refuse", "once"):
            self._fault(keys["repeats"], f"repeats = {repeats!r}: should be refuse or once")
        named = {"train": node} if isinstance(node, yaml.ScalarNode) else self._mapping(node)
        lists = {
            split: [
                self._path.parent / self._text(file, "")
                for file in ([files] if isinstance(files, yaml.ScalarNode) else self._items(files, split))
            ]
            for split, files in named.items()
        }
        if self.faults:
            return None
        return build_lists(name, lists, version=version, max_steps=max_steps, once=repeats == "once")

    def _compare_goals(self, node: yaml.Node, task: Task, others: dict[str, Task]) -> None:
        for other in others.values():
            if other.goal.lower() == task.goal.lower() and other.split != task.split:
                self._fault(node, f"splits {other.split} and {task.split} share the goal of {other.id}")

    def _read_task(
        self, node: yaml.Node, suite: str, max_steps: int
    ) -> tuple[Task | None, tuple[PlanStep, ...]]:
        self._task = ""
        keys = self._mapping(node, _TASK_KEYS)
        self._task = self._text(keys.get("id"), "")
        known = len(self.faults)
        for key in ("id", "goal"):
            if not self._text(keys.get(key), "").strip():
                self._fault(node, f"a task needs {'an' if key == 'id' else 'a'} {key}")
        probes = {key: self._text(value, "") for key, value in self._mapping(keys.get("probes")).items()}
        checks = [self._read_condition(item, probes) for item in self._items(keys.get("check"), "check")]
        plan = tuple(self._read_step(item) for item in self._items(keys.get("plan"), "plan"))
        setup = tuple(self._text(item, "") for item in self._items(keys.get("setup"), "setup"))
        level = self._number(keys.get("level"), 1)
        steps = self._number(keys.get("max_steps"), max_steps)
        if len(self.faults) > known:
            return None, ()
        task = Task(
            id=self._task,
            goal=self._text(keys["goal"], "").strip(),
            suite=suite,
            split=self._text(keys.get("split"), "train"),
            max_steps=steps,
            family=self._text(keys.get("family"), self._task),
            level=level,
            setup=setup,
            probes=probes,
            check=tuple(check for check in checks if check is not None),
        )
        return task, plan

    def _read_condition(self, node: yaml.Node, probes: dict[str, str]) -> Condition | None:
        words = self._text(node, "").split(None, 2)
        if len(words) < 2 or words[1] not in CONDITION_OPS:
            self._fault(
                node, f"write a check as `probe comparison value`; comparisons: {', '.join(CONDITION_OPS)}"
            )
            return None
        if words[0] not in probes:
            self._fault(node, f"the check names the probe {words[0]!r}, which is not among the task's probes")
        condition = Condition(words[0], words[1], words[2] if len(words) > 2 else "")
        for fault in check_faults([condition]):
            self._fault(node, fault)
        return condition

    def _read_step(self, node: yaml.Node) -> PlanStep:
        if isinstance(node, yaml.ScalarNode) and node.value in _BARE_VERBS:
            return PlanStep(node.value)
        keys = self._mapping(node, (*PLAN_VERBS, *_PLAN_KEYS))
        verbs = [key for key in keys if key in PLAN_VERBS]
        if len(verbs) != 1:
            self._fault(node, f"a plan step is one of {', '.join(PLAN_VERBS)}, as in `tap: Save`")
            return PlanStep("wait")
        verb, word = verbs[0], self._text(keys[verbs[0]], "")
        value, within = self._text(keys.get("value"), ""), self._text(keys.get("within"), "")
        if verb == "set" and value not in ("on", "off"):
            self._fault(node, "`set` needs `value: on` or `value: off`")
        if verb in _VALUE_VERBS:
            return PlanStep(verb, self._text(keys.get("into"), ""), word, within)
        return PlanStep(verb, word, value, within)

    # -- nodes -----------------------------------------------------------------------------------

    def _fault(self, node: yaml.Node, fault: str) -> None:
        task = f", task {self._task}" if self._task else ""
        self.faults.append(f"line {node.start_mark.line + 1}{task}: {fault}")

    def _mapping(self, node: yaml.Node | None, allowed: tuple[str, ...] = ()) -> dict[str, yaml.Node]:
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            self._fault(node, "`key: value` pairs are expected here")
            return {}
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = self._text(key, "")
            if allowed and name not in allowed:
                self._fault(key, f"unknown key {name!r}; known: {', '.join(allowed)}")
            if name in found:
                self._fault(key, f"the key {name!r} appears twice")
            found[name] = value
        return found

    def _items(self, node: yaml.Node | None, what: str) -> list[yaml.Node]:
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self._fault(node, f"{what} should be a list")
            return []
        return list(node.value)

    def _text(self, node: yaml.Node | None, default: str) -> str:
        if node is None:
            return default
        if not isinstance(node, yaml.ScalarNode):
            self._fault(node, "a text is expected here")
            return default
        return str(node.value)

    def _number(self, node: yaml.Node | None, default: int) -> int:
        text = self._text(node, str(default))
        if node is not None and (not text.isdigit() or int(text) < 1):
            self._fault(node, f"{text!r} should be a whole number above 0")
            return default
        return int(text)
