"""Runs step by step."""
import threading

import numpy as np
import pytest

import models
import orrery

PLANT = """
model Plant
  input Real u(start=0);
  parameter Real k = 1;
  Real x(start=0, fixed=true);
equation
  der(x) = u - k*x;
end Plant;
"""


def test_a_controller_sees_and_sets_at_each_step():
    model = orrery.modelica(PLANT)
    x = 0.0
    with model.start(stop=10, record=["x"], tolerance=1e-10) as run:
        while run.time < 10:
            u = 3 * (2 - run["x"])
            run["u"] = u
            run.step(0.01)
            x = u + (x - u) * np.exp(-0.01)
            assert run["x"] == pytest.approx(x, rel=1e-8)
    assert run.result.final["x"] == pytest.approx(x, rel=1e-8)
    assert run.result.summary.completed
    assert run.result.names == ["x", "der(x)"] or run.result.names == ["x"]


@pytest.mark.parametrize("length", [0.1, 0.001, "100 ms", 1 / 3, 7])
def test_steps_end_at_multiples_of_their_length(length):
    its = orrery.values.seconds(length)
    with orrery.modelica(PLANT).start(stop=3) as run:
        count = 0
        while run.time < 3:
            run.step(length)
            count += 1
            assert run.time == min(count * its, 3) or count == round(3 / its)
    assert count == int(np.ceil(round(3 / its, 9)))


def test_steps_of_several_lengths_follow_each_other():
    with orrery.modelica(PLANT).start(stop=3) as run:
        run.step(0.5)
        run.step(0.25)
        run.run_until(1)
        run.step(0.5)
        assert run.time == 1.5


def test_all_steps_together_are_the_run():
    model = models.ball()
    with model.start(stop=2, tolerance=1e-10) as run:
        while run.time < 2:
            run.step(0.1)
    whole = model.run(stop=2, tolerance=1e-10)
    assert run.result.final["h"] == pytest.approx(whole.final["h"], abs=1e-8)
    assert run.result.events.names == whole.events.names


def test_setting_several_values_is_one_event():
    with orrery.modelica(PLANT).start(stop=1) as run:
        run.step(0.5)
        run.set({"u": 3}, k=2)
        assert run["u"] == 3 and run["k"] == 2
        assert run["der(x)"] == 3 - 2 * run["x"]
    events = run.result.events
    assert set(events.directions) == {"set"} and set(events.time) == {0.5}


def test_a_setting_that_cannot_be_changes_nothing():
    with orrery.modelica(PLANT).start(stop=1) as run:
        with pytest.raises(ValueError, match="did you mean|known"):
            run["v"] = 3
        with pytest.raises(ValueError, match="x"):
            run["x"] = 3
        assert run["u"] == 0


def test_an_unknown_quantity_names_the_nearest():
    with models.arrays().start() as run:
        with pytest.raises(ValueError, match="did you mean 'now'"):
            run["nwo"]
        assert run["hidden"] == 2 * run["y"]


def test_a_run_that_is_left_early_has_its_rows():
    with models.decay().start(stop=10) as run:
        run.step(1)
    assert run.result.time[-1] == 1
    assert run.result.summary.outcome == "interrupted"


def test_a_run_that_fails_raises_at_its_step():
    with orrery.modelica(models.FAILS).start(stop=2) as run:
        run.step(0.9)
        with pytest.raises(orrery.RunError) as raised:
            run.step(0.9)
    assert raised.value.result.time[-1] == pytest.approx(1, abs=1e-3)
    assert run.has_ended


def test_a_finished_run_does_not_go_on():
    with models.decay().start(stop=1) as run:
        run.run_until(1)
    with pytest.raises(ValueError, match="finished"):
        run.step(1)


@pytest.mark.parametrize("time", [0.2, 5])
def test_times_that_a_run_cannot_reach_are_refused(time):
    with models.decay().start(stop=1) as run:
        run.step(0.5)
        with pytest.raises(ValueError, match="at 0.5 s and stops at 1.0 s"):
            run.run_until(time)


def test_two_threads_cannot_use_a_run_at_once():
    refused = []
    with orrery.modelica(models.LONG).start(stop=1e6, interval=1e4) as run:
        thread = threading.Thread(target=run.step, args=(1000,))
        thread.start()
        while thread.is_alive() and not refused:
            try:
                run["x"]
            except ValueError as error:
                refused.append(str(error))
        thread.join()
        assert run.time == 1000
        assert "in another thread" in refused[0]


@pytest.mark.parametrize("length", [0, -1])
def test_a_step_goes_forward(length):
    with models.decay().start() as run:
        with pytest.raises(ValueError, match="above 0"):
            run.step(length)


def test_an_unknown_option_names_the_nearest():
    with pytest.raises(TypeError, match="no option 'until' here"):
        models.decay().start(until="x > 1")
    with pytest.raises(TypeError, match="did you mean 'stop'"):
        models.decay().start(stp=1)
