"""Records become points of curves: named by group, on a step that never goes back."""

from distrl.recording import Line
from distrl.tracking.points import ENV_STEPS, UPDATES, Point, Points


def metrics(name: str, part: str, t: float, labels: dict[str, object] | None = None, **values: float) -> Line:
    return Line(t=t, part=part, kind="metrics", name=name, values=dict(values), fields=labels or {})


def taken(*lines: Line) -> list[Point]:
    points = Points()
    return [point for line in lines if (point := points.take(line)) is not None]


def test_the_learner_counts_updates_and_keeps_its_timings_apart() -> None:
    (point,) = taken(metrics("learner", "learner", 5.0, update=3, policy_loss=0.5, update_s=0.1))
    assert point == Point(
        5.0,
        UPDATES,
        3,
        {"learner/update": 3, "learner/policy_loss": 0.5, "system/learner_update_s": 0.1},
    )


def test_what_is_no_number_has_no_point() -> None:
    line = Line(t=1.0, part="learner", kind="metrics", name="learner", values={"update": 1.0, "kl": None})
    assert taken(line)[0].values == {"learner/update": 1.0}
    assert taken(Line(t=1.0, part="learner", kind="published")) == []


def test_repeated_updates_of_a_resumed_learner_are_left_out() -> None:
    lines = [metrics("learner", "learner", at, update=update) for at, update in enumerate((1, 2, 3, 2, 3, 4))]
    assert [point.step for point in taken(*lines)] == [1, 2, 3, 4]


def test_workers_are_summed_over_parts_and_lives() -> None:
    points = taken(
        metrics("worker", "worker-0", 10, steps=100, episodes=10, success=2, failure=8, devices=4, version=1),
        metrics("worker", "worker-1", 20, steps=50, episodes=5, success=5, failure=0, devices=4, version=3),
        metrics("worker", "worker-0", 30, steps=20, episodes=5, success=5, failure=0, devices=4, version=3),
    )
    assert [point.step for point in points] == [100, 150, 170]
    assert {point.axis for point in points} == {ENV_STEPS}
    last = points[-1].values
    assert (last["worker/steps"], last["worker/episodes"], last["worker/devices"]) == (170, 20, 8)
    assert last["worker/version"] == 3
    assert last["worker/success_rate"] == 1.0  # 10 of the 10 since the first point
    assert last["worker/steps_per_s"] == 70 / 20
    assert last["worker/episode_steps"] == 7


def test_workers_that_did_nothing_or_report_at_once_make_no_point() -> None:
    points = taken(
        metrics("worker", "worker-0", 10.0, steps=5),
        metrics("worker", "worker-1", 10.5, steps=5),
        metrics("worker", "worker-0", 20.0, steps=5),
        metrics("worker", "worker-0", 30.0, steps=5),
    )
    assert [point.step for point in points] == [5, 10]


def test_a_clock_set_back_stops_nothing() -> None:
    points = taken(*(metrics("worker", "worker-0", t, steps=s) for t, s in ((5000, 1), (100, 2), (110, 3))))
    assert [point.step for point in points] == [1, 2, 3]
    assert points[-1].values["worker/steps_per_s"] == 0.1


def test_evaluations_and_the_replay_stand_at_environment_steps() -> None:
    points = taken(
        metrics("worker", "worker-0", 1, steps=40),
        metrics("evaluation", "evaluator", 2, {"split": "val", "decoding": "greedy"}, success=0.5),
        metrics("replay", "replay", 3, trajectories=9),
        metrics("replay", "replay", 4, trajectories=9),
        metrics("policy", "policy-0", 4, batches=2),
    )
    assert [(point.step, point.values) for point in points[1:]] == [
        (40, {"eval/val_greedy/success": 0.5}),
        (40, {"replay/trajectories": 9}),
        (40, {"system/policy-0/batches": 2}),
    ]
