"""Values between the rows are as accurate as the run."""
import numpy as np
import pytest

import orrery

WAVE = """
model Wave
  parameter Real w = 10;
  Real x(start=1, fixed=true);
  Real v(start=0, fixed=true);
  Real e = v^2 + w^2*x^2;
  Boolean up = v > 0;
equation
  der(x) = v;
  der(v) = -w^2*x;
end Wave;
"""


def wave():
    return orrery.modelica(WAVE)


@pytest.fixture
def times():
    return np.random.default_rng(1).uniform(0, 60, 500)


@pytest.mark.parametrize("options", [
    {}, {"interval": 1}, {"interval": 0}, {"record": ["x"]},
    {"method": "dopri5"}, {"method": "rodas"}, {"follow": ["v"]}])
def test_they_have_the_error_of_the_rows(times, options):
    r = wave().run(stop="1 min", tolerance=1e-9, **options)
    of_rows = abs(r["x"] - np.cos(10 * r.time)).max()
    between = abs(r.at(times, "x") - np.cos(10 * times)).max()
    assert between < 3 * max(of_rows, 1e-9)


def test_settings_inputs_and_conditions_of_the_run_hold():
    model = orrery.modelica("""
model M
  input Real u;
  parameter Real k = 1;
  Real x(start=0, fixed=true);
equation
  der(x) = k*u;
end M;""")
    inputs = {"time": np.array([0.0, 10.0]), "u": np.array([0.0, 10.0])}
    r = model.run(k=3, inputs=inputs, until="x > 13.5", stop=10,
                  tolerance=1e-10)
    inputs["u"][:] = 0  # The run has had its own.
    assert r.time[-1] == pytest.approx(3)
    for t in (0.123, 1.7, 2.99):
        assert r.at(t, "x") == pytest.approx(1.5 * t * t, rel=1e-8)
    with pytest.raises(ValueError, match="the run covers 0 to 3"):
        r.at(3.5, "x")


def test_limits_at_events_stay():
    r = orrery.modelica("""
model Ball
  Real h(start=1, fixed=true);
  Real v(start=0, fixed=true);
equation
  der(h) = v;
  der(v) = -10;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end Ball;""").run(stop=1, tolerance=1e-10)
    bounce = r.events[0].time
    before, after = -np.sqrt(20), np.sqrt(20) / 2
    assert r.at(bounce, "v", left=True) == pytest.approx(before, rel=1e-9)
    assert r.at(bounce, "v") == pytest.approx(after, rel=1e-9)
    assert r.at([bounce, 0.01], "v", left=True) == pytest.approx(
        [before, -0.1], rel=1e-9)


def test_shapes_are_those_of_the_times_and_names(times):
    r = wave().run(stop=60, tolerance=1e-10)
    both = r.at(times.reshape(50, 10), ["x", "v", "w"])
    assert both.shape == (50, 10, 3)
    assert both[..., 2].tolist() == np.full((50, 10), 10.0).tolist()
    assert both[3, 4, 1] == pytest.approx(
        -10 * np.sin(10 * times.reshape(50, 10)[3, 4]), abs=1e-7)
    assert isinstance(r.at(0.1, "x"), float)
    assert r.at("100 ms", "x") == pytest.approx(np.cos(1), abs=1e-9)
    assert r.at([0.1], "up").tolist() == [0.0]


def test_rows_are_given_as_they_are():
    r = wave().run(stop=2)
    assert (r.at(r.time[::2], "x", left=True)[1:10]
            == r["x"][::2][1:10]).all()


def test_a_run_that_failed_or_was_interrupted_has_values_up_to_there():
    model = orrery.modelica(
        "model M Real x(start=1, fixed=true); equation der(x) = x^2; end M;")
    r = model.run(stop=2, tolerance=1e-10, check=False)
    assert r.at(0.987654, "x") == pytest.approx(1 / (1 - 0.987654), rel=1e-7)

    def stop(time):
        if time > 2:
            raise KeyboardInterrupt
    with pytest.raises(orrery.Interrupted) as raised:
        wave().run(stop=1e6, interval=1, tolerance=1e-8, method="dopri5",
                   progress=stop)
    r = raised.value.result
    assert r.at(1.2345, "x") == pytest.approx(np.cos(12.345), abs=1e-6)


def test_a_run_with_functions_of_python_is_not_repeated():
    calls = []

    class Count(orrery.Block):
        x = orrery.State(0.0)

        def equations(self):
            def one(x):
                calls.append(x)
                return 1.0
            yield orrery.der(self.x) == orrery.opaque(one)(self.x)

    r = Count().run(stop=1)
    before = len(calls)
    assert r.at(0.12345, "x") == pytest.approx(0.12345)
    assert len(calls) == before


@pytest.mark.parametrize("length", [0.01, 0.7, 20])
def test_a_run_step_by_step_has_the_error_of_its_rows(times, length):
    with wave().start(stop="1 min", tolerance=1e-9) as run:
        while not run.has_ended:
            run.step(length)
    r = run.result
    of_rows = abs(r["x"] - np.cos(10 * r.time)).max()
    between = abs(r.at(times, "x") - np.cos(10 * times)).max()
    assert between < 3 * max(of_rows, 1e-9)


LAG = "model Lag input Real u; Real x(start=0, fixed=true); equation " \
      "der(x) = u - x; end Lag;"


def lagged(t, inputs, length):
    """x of Lag at t, for inputs that hold for `length` each."""
    x = 0.0
    for u in inputs:
        x = u + (x - u) * np.exp(-min(t, length))
        t -= length
        if t <= 0:
            break
    return x


def test_a_run_step_by_step_is_repeated_with_what_was_set():
    inputs = [np.sin(k) for k in range(50)]
    with orrery.modelica(LAG).start(stop=5, tolerance=1e-11) as run:
        for k, u in enumerate(inputs):
            run["u"] = u
            run.step(0.1)
            if k == 20:
                middle = run.result
    for t in (0.0456, 0.123, 1.777, 4.99):
        assert run.result.at(t, "x") == pytest.approx(
            lagged(t, inputs, 0.1), abs=1e-10)
    assert middle.at(1.777, "x") == pytest.approx(
        lagged(1.777, inputs, 0.1), abs=1e-10)
    with pytest.raises(ValueError, match="the run covers 0 to 2.1"):
        middle.at(3, "x")


def test_a_run_step_by_step_that_failed_has_values_up_to_there():
    model = orrery.modelica(
        "model M Real x(start=1, fixed=true); equation der(x) = x^2; end M;")
    with pytest.raises(orrery.RunError) as raised:
        with model.start(stop=2, tolerance=1e-10) as run:
            while True:
                run.step(0.3)
    r = raised.value.result
    assert r.at(0.987654, "x") == pytest.approx(1 / (1 - 0.987654), rel=1e-7)


def test_a_run_step_by_step_with_functions_of_python_is_not_repeated():
    calls = []

    class Count(orrery.Block):
        x = orrery.State(0.0)

        def equations(self):
            def one(x):
                calls.append(x)
                return 1.0
            yield orrery.der(self.x) == orrery.opaque(one)(self.x)

    with Count().model().start(stop=1) as run:
        run.step(1)
    before = len(calls)
    assert run.result.at(0.12345, "x") == pytest.approx(0.12345)
    assert len(calls) == before
