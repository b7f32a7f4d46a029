"""Activities with arguments, and plans that ask for them."""
import datetime
import json

import pytest

import orrery
from orrery import Level, Tasks, activity


class Rover(Tasks):
    way = Level(0)

    def __init__(self):
        self.notes = []

    @activity
    def drive(self, metres=60.0, careful=False):
        "Goes straight on."
        yield metres * (2 if careful else 1)
        self.way.add(metres)
        self.notes.append((metres, careful, self.now))

    @activity
    async def look(self, images=4, filter="red",
                   exposure=datetime.timedelta(seconds=10)):
        await orrery.delay(images * exposure)
        self.notes.append((images, filter, self.now))

    def helper(self):
        yield 1


DAY = {
    "stop": "1 h",
    "activities": [
        {"id": "out", "type": "drive", "start": "10 min"},
        {"id": "view", "type": "look", "after": "out", "offset": "1 min",
         "arguments": {"images": 2, "filter": "blue"}},
        {"id": "before", "type": "look", "with": "out", "offset": "-5 min",
         "arguments": {"exposure": "30 s"}},
        {"type": "drive", "after": "view",
         "arguments": {"metres": 5, "careful": True}}]}


def test_a_plan_is_carried_out():
    rover = Rover()
    result = rover.run(plan=DAY)
    assert rover.notes == [
        (4, "red", 420.0), (60.0, False, 660.0), (2, "blue", 740.0),
        (5.0, True, 750.0)]
    assert result.end == 3600.0
    assert sorted(span.begin for span in result.timeline().spans) == [
        300.0, 600.0, 720.0, 740.0]


def test_a_plan_is_a_file_as_well(tmp_path):
    path = tmp_path / "day.json"
    path.write_text(json.dumps(DAY))
    rover, other = Rover(), Rover()
    rover.run(plan=path)
    other.run(plan=str(path), stop="2 h")
    assert rover.notes == other.notes and len(rover.notes) == 4


@pytest.mark.parametrize("wrong, words", [
    ({"type": "dive"}, "did you mean 'drive'"),
    ({"type": "drive", "arguments": {"meters": 3}}, "'metres'"),
    ({"type": "drive", "arguments": {"metres": "far"}}, "metres"),
    ({"type": "drive", "after": "nobody"}, "nobody"),
    ({"type": "helper"}, "helper")])
def test_mistakes_in_a_plan_are_named(wrong, words):
    with pytest.raises(orrery.ModelError) as caught:
        Rover().run(plan=[{"id": "a", "type": "drive"}, wrong])
    assert words in str(caught.value)
    assert caught.value.diagnostics[0].line > 0


def test_a_plan_that_is_not_there_is_named():
    with pytest.raises(OSError, match="no_such.json"):
        Rover().run(plan="no_such.json")


def test_arguments_of_activities_have_defaults():
    with pytest.raises(TypeError, match="'metres' has no default"):
        class Wrong(Tasks):
            @activity
            def drive(self, metres):
                yield metres


def test_activities_that_do_not_begin_are_told_of():
    rover = Rover()
    result = rover.run(plan={"activities": [
        {"id": "out", "type": "drive", "start": 0,
         "arguments": {"metres": 100}},
        {"id": "back", "type": "drive", "after": "out"}]}, stop=50)
    assert rover.notes == []
    assert any("back" in text and "out" in text for text in result.warnings)
