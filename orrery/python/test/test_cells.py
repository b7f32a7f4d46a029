"""Cells and the conditions that tasks wait for."""
import pytest

import orrery
from orrery import Cell, Counter, Level, Resource, Tasks, any_of, until


class Rover(Tasks):
    mode, battery, count = Cell("idle"), Level(50), Counter()
    reserve, room = Level(10), Resource(2)

    def __init__(self, *tasks):
        self.tasks, self.notes = tasks, []

    def start(self):
        for task in self.tasks:
            self.spawn(task(self))

    def note(self, what):
        self.notes.append((what, self.now))


def notes_of(*tasks):
    rover = Rover(*tasks)
    rover.run()
    return rover.notes


def charges(rover):
    rover.battery.add_rate(2)
    yield 20
    rover.battery.set_rate(-1)
    rover.mode.set("driving")
    for _ in range(4):
        yield 5
        rover.count.add(2)


@pytest.mark.parametrize("condition, time", [
    (lambda r: r.battery >= 80, 15.0),
    (lambda r: r.battery > 89, 19.500000001),
    (lambda r: 85 <= r.battery, 17.5),
    (lambda r: r.battery + 2 * r.reserve >= 100, 15.0),
    (lambda r: r.battery - r.reserve >= 70, 15.0),
    (lambda r: r.battery > r.reserve * 8, 15.000000001),
    (lambda r: r.mode == "driving", 20.0),
    (lambda r: r.mode != "idle", 20.0),
    (lambda r: (r.mode == "driving") & (r.battery < 86), 24.000000001),
    (lambda r: (r.count == 4) | (r.battery < 0), 30.0),
    (lambda r: ~(r.count < 3), 30.0),
    (lambda r: r.count >= 8, 40.0),
    (lambda: True, 0.0)])
def test_a_condition_holds_from_its_first_nanosecond(condition, time):
    def waits(rover):
        holds = condition(rover) if condition.__code__.co_argcount else (
            condition)
        yield until(holds)
        rover.note("holds")

    (what, at), = notes_of(charges, waits)
    assert at == pytest.approx(time, abs=2e-9)


def test_a_function_of_a_resource_is_a_condition():
    def holds(rover):
        with (yield rover.room.acquire(2)):
            yield 7

    def waits(rover):
        yield 1
        yield until(lambda: rover.room.in_use == 0)
        rover.note("free")

    assert notes_of(holds, waits) == [("free", 7.0)]


def test_a_condition_stands_beside_other_waits():
    def waits(rover):
        late = yield any_of(until(rover.count > 100), 33)
        rover.note(late)

    assert notes_of(charges, waits) == [((None, True), 33.0)]


def test_what_others_do_at_one_time_is_not_seen():
    def first(rover):
        rover.count.add(1)
        rover.note(("first", rover.count.value))
        yield 0
        rover.note(("then", rover.count.value))

    def second(rover):
        rover.count.add(10)
        rover.note(("second", rover.count.value))
        yield 0

    assert notes_of(first, second) == [
        (("first", 1), 0.0), (("second", 10), 0.0), (("then", 11), 0.0)]


def test_a_step_that_fails_leaves_no_effect():
    def fails(rover):
        rover.count.add(5)
        rover.mode.set("lost")
        raise ValueError("rock")
        yield

    def waits(rover):
        try:
            yield rover.call(fails(rover))
        except ValueError:
            rover.note((rover.count.value, rover.mode.value))

    assert notes_of(waits) == [((0, "idle"), 0.0)]


def test_different_values_set_at_one_time_are_warned_of():
    def sets(value):
        def task(rover):
            rover.mode.set(value)
            yield 1
            rover.note(rover.mode.value)
        return task

    rover = Rover(sets("left"), sets("right"))
    result = rover.run()
    assert [what for what, _ in rover.notes] == ["idle", "idle"]
    assert "mode" in result.warnings[0]


def test_wrong_conditions_are_refused():
    for wrong in (3, "x", None):
        with pytest.raises(TypeError, match="cannot wait until"):
            until(wrong)
    rover = Rover()
    with pytest.raises(TypeError, match="&, | and ~"):
        if rover.battery > 3 and rover.battery < 5:
            pass
    with pytest.raises(TypeError):
        rover.battery > "much"
    with pytest.raises(ValueError, match="no run"):
        rover.battery.value


def test_an_exception_of_a_condition_reaches_its_task():
    def waits(rover):
        yield 1
        yield until(lambda: 1 / 0)

    with pytest.raises(orrery.RunError) as caught:
        Rover(waits).run()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
