"""Equations, DEVS models and tasks on one time."""
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
from types import SimpleNamespace

import numpy
import pytest

import orrery
from orrery import Level, Monitor, Simulation, Tasks, Topic, devs, until
from orrery.devs import INFINITY, In, Out

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
COMMANDS = pathlib.Path(os.environ.get("ORRERY_COMMAND", "orrery")).parent

TANK = """
model Tank "A tank"
  input Real opening(start = 0);
  Real level(start = 1, fixed = true);
equation
  der(level) = 0.5 - opening;
end Tank;
"""


class ValveController(devs.Atomic):
    """Moves the valve, which takes time; the last command counts."""

    full, low, drain, position = In(), In(), In(), Out()

    def initial(self):
        return SimpleNamespace(target=0.0, sigma=INFINITY)

    def time_advance(self, s):
        return s.sigma

    def output(self, s, y):
        y[self.position] = s.target

    def internal(self, s):
        s.sigma = INFINITY

    def external(self, s, elapsed, x):
        s.target = 0.0 if x[self.low] else 1.0
        s.sigma = 5


class Maintenance(Tasks):
    pump, drain = Level(1), Topic()

    def __init__(self):
        self.begun = []

    def clean(self, level, opening):
        while True:
            yield 8 * 3600
            self.pump.set(0)
            if level.value > 0.4:
                self.drain.emit(True)
            yield until((opening <= 0.0) & (level <= 0.4))
            self.begun.append(self.now)
            yield 30 * 60
            self.pump.set(1)


def maintained_tank():
    simulation = Simulation()
    tank = simulation.add(
        orrery.load(str(EXAMPLES / "maintained_tank/tank.mo")), "tank")
    valve = simulation.add(ValveController(), "valve")
    crew = simulation.add(Maintenance(), "maintenance")
    simulation.connect(tank["level"].rises(0.8), valve.full)
    simulation.connect(tank["level"].falls(0.4), valve.low)
    simulation.connect(valve.position, tank["opening"])
    simulation.connect(crew.pump, tank["pump"])
    simulation.connect(crew.drain, valve.drain)
    simulation.start(crew.clean(tank["level"], tank["opening"]))
    return simulation.run(stop="72 h", tolerance=1e-9), crew


def test_the_maintained_tank_is_that_of_cpp(tmp_path):
    command = COMMANDS / "example_maintained_tank"
    if not command.exists():
        pytest.skip("the example was not built")
    told = subprocess.run(
        [command, EXAMPLES / "maintained_tank"], check=True,
        capture_output=True, text=True, cwd=tmp_path).stdout
    result, crew = maintained_tank()
    hours = re.findall(r"from ([0-9.]+) h on", told)
    assert [f"{begun / 3600:.6f}" for begun in crew.begun] == hours
    highest, messages, steps = re.search(
        r"highest level ([0-9.]+) m, (\d+) messages, (\d+) steps",
        told).groups()
    assert f"{result['level'].max():.4f}" == highest
    assert result.statistics["messages"] == int(messages)
    assert result.summary.steps == int(steps)


def test_the_maintained_tank_is_cleaned_at_the_times_of_theory():
    result, crew = maintained_tank()
    assert len(crew.begun) == 8
    again, other = maintained_tank()
    assert other.begun == crew.begun
    assert numpy.array_equal(again["level"], result["level"])
    spans = result.timeline().spans
    assert [span.name for span in spans] == ["clean"]


def test_a_crossing_sends_its_value_and_direction():
    class Hears(devs.Atomic):
        heard = In()

        def initial(self):
            return []

        def external(self, s, elapsed, x):
            s.extend(x[self.heard])

    class Says(Tasks):
        pass

    seen = []
    simulation = Simulation()
    tank = simulation.add(orrery.modelica(
        "model M Real x(start=0, fixed=true); equation der(x) = cos(time);"
        " end M;"), "m")
    hears = simulation.add(Hears(), "hears")
    simulation.connect(tank["x"].rises(0.5), hears.heard,
                       lambda c: seen.append((c.value, c.is_rising)))
    simulation.connect(tank["x"].falls(0.5), hears.heard,
                       lambda c: seen.append((c.value, c.is_rising)))
    simulation.run(stop=10)
    assert [rising for _, rising in seen] == [True, False, True, False]
    for value, _ in seen:
        assert value == pytest.approx(0.5, abs=1e-6)


def test_samples_come_at_equal_intervals():
    class Hears(devs.Atomic):
        heard = In()

        def initial(self):
            return []

        def external(self, s, elapsed, x):
            seen.append((elapsed, x[self.heard][0]))

    seen = []
    simulation = Simulation()
    tank = simulation.add(orrery.modelica(TANK), "tank")
    hears = simulation.add(Hears(), "hears")
    simulation.connect(tank["level"].every("0.5 s", 1), hears.heard,
                       lambda level: level * 10)
    simulation.run(stop=2)
    assert seen == [(1.0, pytest.approx(15)), (0.5, pytest.approx(17.5)),
                    (0.5, pytest.approx(20))]


def test_crossings_and_messages_begin_tasks():
    class Crew(Tasks):
        seen = Monitor(keep=True)

        def opens(self, crossed):
            yield 2
            self.seen.add(self.now)
            self.opening.set(0.5)

        def counts(self, message):
            self.seen.add(message.id)
            yield 0

    simulation = Simulation()
    tank = simulation.add(orrery.modelica(TANK), "tank")
    crew = simulation.add(Crew(), "crew")
    crew.opening = tank["opening"]
    source = simulation.add(devs.Generator(3, limit=2), "source")
    simulation.connect(tank["level"].rises(2.0), crew.opens)
    simulation.connect(source.out, crew.counts)
    result = simulation.run(stop=10)
    assert crew.seen.values.tolist() == [0, pytest.approx(4), 1]
    assert result.final["level"] == pytest.approx(3)


def test_a_level_with_a_rate_is_followed():
    class Crew(Tasks):
        opening = Level(0)

        def start(self):
            yield 2
            self.opening.set_rate(0.25)

    simulation = Simulation()
    tank = simulation.add(orrery.modelica(TANK), "tank")
    crew = simulation.add(Crew(), "crew")
    simulation.connect(crew.opening, tank["opening"])
    level = simulation.run(stop=6).final["level"]
    assert level == pytest.approx(1 + 0.5 * 6 - 0.25 * 4 ** 2 / 2)


def test_settings_and_options_are_those_of_the_equations():
    simulation = Simulation()
    simulation.add(orrery.modelica(
        "model M parameter Real k = 1; Real x(start=1, fixed=true);"
        " equation der(x) = -k*x; end M;"), "m")
    result = simulation.run({"k": 2}, stop=1, tolerance=1e-10, record=["x"])
    assert result.final["x"] == pytest.approx(numpy.exp(-2), rel=1e-8)
    with pytest.raises((ValueError, TypeError), match="tolerance"):
        simulation.run(stop=1, tolerace=1e-3)


@pytest.mark.parametrize("options, message", [
    ({"opening": 1}, r"no option 'opening'; .* settings, run\("),
    ({"tol": 1e-3}, "did you mean 'tolerance'"),
    ({"until": "level > 2"}, "no option 'until' here")])
def test_options_that_a_simulation_does_not_have_are_named(options, message):
    simulation = Simulation()
    simulation.add(orrery.modelica(TANK), "tank")
    with pytest.raises(TypeError, match=message):
        simulation.run(stop=1, **options)


def test_a_simulation_without_equations_ends_when_nothing_is_due():
    class Crew(Tasks):
        def start(self):
            yield 5

    simulation = Simulation()
    simulation.add(Crew(), "crew")
    simulation.add(devs.Generator(2, limit=4), "source")
    assert simulation.run().end == 8.0


# --- Wrong uses.

def test_a_task_that_fails_is_named_with_its_cause_and_results():
    class Crew(Tasks):
        def start(self):
            yield 3
            raise ValueError("no ladder")

    simulation = Simulation()
    simulation.add(orrery.modelica(TANK), "tank")
    simulation.add(Crew(), "crew")
    with pytest.raises(orrery.RunError) as caught:
        simulation.run(stop=10)
    assert isinstance(caught.value.__cause__, ValueError)
    assert "no ladder" in caught.value.message
    assert "t = 3 s" in caught.value.message
    assert caught.value.result.final["level"] == pytest.approx(2.5)


def test_a_devs_model_that_fails_is_named_with_its_cause():
    class Breaks(devs.Atomic):
        def time_advance(self, s):
            return 4

        def internal(self, s):
            raise KeyError("valve")

    simulation = Simulation()
    simulation.add(orrery.modelica(TANK), "tank")
    simulation.add(Breaks(), "breaks")
    with pytest.raises(orrery.RunError, match="model.breaks") as caught:
        simulation.run(stop=10)
    assert isinstance(caught.value.__cause__, KeyError)


def test_wrong_connections_are_named():
    simulation = Simulation()
    tank = simulation.add(orrery.modelica(TANK), "tank")
    source = simulation.add(devs.Generator(1), "source")
    with pytest.raises(ValueError, match="did you mean 'level'"):
        tank["levl"]
    with pytest.raises(orrery.ModelError, match="'level' .*|no input"):
        simulation.connect(source.out, tank["der(level)"])
    with pytest.raises(TypeError, match="is no port"):
        simulation.connect(source.out, 5)
    with pytest.raises(orrery.ModelError, match="it is an input"):
        simulation.connect(source.stop, source.stop)
    with pytest.raises(orrery.ModelError, match="a part already"):
        simulation.add(source, "again")
    with pytest.raises(orrery.ModelError, match="join both in a Diagram"):
        simulation.add(orrery.modelica(TANK), "second")
    with pytest.raises(TypeError, match="cannot add 5"):
        simulation.add(5, "five")


def test_conditions_are_not_asked_for_their_truth():
    simulation = Simulation()
    tank = simulation.add(orrery.modelica(TANK), "tank")
    with pytest.raises(TypeError, match="&, | and ~"):
        bool(tank["level"] > 3)


def test_ctrl_c_ends_a_simulation_with_its_results():
    class Crew(Tasks):
        def start(self):
            while True:
                yield 0.001

    simulation = Simulation()
    simulation.add(orrery.modelica(TANK), "tank")
    simulation.add(Crew(), "crew")
    begun = []

    def interrupts():
        time.sleep(0.3)
        begun.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupts).start()
    with pytest.raises(orrery.Interrupted) as caught:
        simulation.run(stop=1e7, spans=False)
    assert time.perf_counter() - begun[0] < 0.3
    assert caught.value.result.end > 0
    assert len(caught.value.result["level"]) > 0


def test_a_model_is_in_one_simulation_only():
    model = Idle()
    first, second = orrery.Simulation(), orrery.Simulation()
    first.add(model, "first")
    for simulation in (first, second):
        with pytest.raises(ValueError) as raised:
            simulation.add(model, "again")
        assert str(raised.value) == (
            "cannot add this Idle as 'again': it belongs to another "
            "simulation, model or run; add another Idle()")


class Idle(orrery.Tasks):
    def start(self):
        yield 1


def test_a_name_that_is_taken_is_told():
    simulation = orrery.Simulation()
    simulation.add(Idle(), "a")
    with pytest.raises(orrery.Error, match="a"):
        simulation.add(Idle(), "a")
