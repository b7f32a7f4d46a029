"""Runs: options, values, inputs, threads, memory, speed."""
import datetime
import json
import os
import resource
import subprocess
import threading
import time

import numpy as np
import pandas
import pytest

import models
import orrery


@pytest.mark.parametrize("k", [3, 3.0, "3", "3 1/s", "180 1/min",
                               np.float64(3), np.array(3)])
def test_values_may_have_any_form(k):
    r = models.decay().run({"k": k}, stop=1, tolerance=1e-9)
    assert r.final["x"] == pytest.approx(np.exp(-3), rel=1e-7)


def test_plain_names_may_stand_as_words():
    assert models.decay().run(k=3, x=5).final["k"] == 3
    assert models.decay().run({"k": 3}, x=5)["x"][0] == 5


@pytest.mark.parametrize("stop", [90, 90.0, "90", "90 s", "1.5 min",
                                  datetime.timedelta(seconds=90),
                                  np.timedelta64(90, "s"), np.int32(90)])
def test_times_may_have_any_form(stop):
    assert models.decay().run(stop=stop).time[-1] == 90


def test_booleans_literals_and_arrays_are_values():
    r = models.arrays().run({"on": False, "mode": "Fast",
                             "T": ["0 degC", "300 K"],
                             "m": np.eye(2)})
    assert r.final["y"] == pytest.approx(273.15 + 300 + 2)
    assert r.final["now"] == 2


def test_options_are_those_of_the_engines():
    r = models.decay().run(start=1, stop=2, interval=0.25,
                           output_times=["1.1 s", 1.9], record=["x"])
    assert r.time.tolist() == [1, 1.1, 1.25, 1.5, 1.75, 1.9, 2]
    assert r.names == ["x", "der(x)"] or r.names == ["x"]


def test_a_fixed_step_is_that_of_its_method():
    r = models.decay().run(method="euler", step=0.25, stop=1)
    assert r["x"].tolist() == [1, 0.5, 0.25, 0.125, 0.0625]


def test_a_condition_ends_the_run():
    r = models.decay().run(until="x < 0.5", stop=10, tolerance=1e-10)
    assert r.time[-1] == pytest.approx(np.log(2) / 2, rel=1e-8)
    assert r.summary.outcome == "terminated"


def test_sensitivities_are_signals():
    r = models.decay().run(sensitivities="k", stop=1, tolerance=1e-10)
    assert r["d(x)/d(k)"] == pytest.approx(-r.time * np.exp(-2 * r.time),
                                           abs=1e-8)


INTEGRATOR = """
model Integrator
  input Real u(unit="m/s");
  Real x(start=0, fixed=true, unit="m");
equation
  der(x) = u;
end Integrator;
"""
TIMES, SPEEDS = [0.0, 1.0, 3.0], [0.0, 2.0, 2.0]


@pytest.mark.parametrize("form", ["dict", "frame", "index", "delta", "file",
                                  "path", "unit"])
def test_inputs_over_time_may_have_any_form(form, tmp_path):
    frame = pandas.DataFrame({"time": TIMES, "u": SPEEDS})
    path = tmp_path / "inputs.csv"
    frame.to_csv(path, index=False)
    inputs = {
        "dict": {"time": TIMES, "u": SPEEDS},
        "frame": frame,
        "index": frame.set_index("time"),
        "delta": frame.set_index(pandas.to_timedelta(TIMES, "s"))[["u"]],
        "file": str(path),
        "path": path,
        "unit": {"time": TIMES, "u [km/h]": np.array(SPEEDS) * 3.6},
    }[form]
    r = orrery.modelica(INTEGRATOR).run(inputs=inputs, stop=3)
    assert r.final["x"] == pytest.approx(5, rel=1e-9)
    assert r["u"][-1] == pytest.approx(2)


def test_inputs_beyond_their_table_are_a_warning():
    r = orrery.modelica(INTEGRATOR).run(
        inputs={"time": [0, 1], "u": [0, 1]}, stop=3)
    assert any("u" in its.message for its in r.warnings)


def test_a_run_says_what_it_warns_of():
    model = orrery.modelica("model M parameter Real k(max=1) = 0; Real x = k; "
                            "Real y(start=1) = time; end M;")
    assert "y" in model.run({"y": 3}).warnings[0].message


@pytest.mark.skipif("ORRERY_COMMAND" not in os.environ,
                    reason="needs the command")
@pytest.mark.parametrize("text, options", [
    (models.BALL, {}),
    (models.LONG, {"stop": 30}),
    (models.DECAY, {"method": "rodas", "tolerance": 1e-9}),
    (models.ARRAYS, {"interval": 0.01}),
])
def test_the_command_gives_the_same_bits(text, options, tmp_path):
    source, output = tmp_path / "m.mo", tmp_path / "out.csv"
    source.write_text(text)
    words = [word for name, value in options.items() for word in
             ("--" + {"method": "solver"}.get(name, name), str(value))]
    subprocess.run([os.environ["ORRERY_COMMAND"], "run", str(source),
                    "--no-save", "--quiet", "--output", str(output), *words],
                   check=True, capture_output=True)
    r, told = orrery.load(source).run(**options), orrery.read(output)
    assert (r.time == told.time).all()
    for name in told.names:
        assert (r[name] == told[name]).all()


@pytest.mark.skipif("ORRERY_COMMAND" not in os.environ,
                    reason="needs the command")
def test_the_summary_is_that_of_the_command(tmp_path):
    source = tmp_path / "ball.mo"
    source.write_text(models.BALL)
    told = json.loads(subprocess.run(
        [os.environ["ORRERY_COMMAND"], "run", str(source), "--no-save",
         "--json"], check=True, capture_output=True).stdout)
    its = orrery.load(source).run().summary
    for name in ("solver", "events", "steps", "rejected_steps",
                 "rhs_evaluations", "jacobian_evaluations"):
        assert getattr(its, name) == told[name]


def test_eight_threads_run_one_model():
    model = models.ball()
    wanted = {e: model.run(e=e, stop=2)["h"] for e in (0.7, 0.75, 0.8, 0.9)}
    wrong = []

    def work(e):
        for _ in range(20):
            if not np.array_equal(model.run(e=e, stop=2)["h"], wanted[e]):
                wrong.append(e)

    threads = [threading.Thread(target=work, args=[e])
               for e in list(wanted) * 2]
    for its in threads:
        its.start()
    for its in threads:
        its.join()
    assert wrong == []


def test_other_threads_go_on_during_a_run():
    model, count = orrery.modelica(models.LONG), [0]
    done = threading.Event()

    def tick():
        while not done.is_set():
            count[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    begin = time.monotonic()
    while time.monotonic() - begin < 0.3:
        model.run(stop=2000, interval=2000)
    done.set()
    other.join()
    assert count[0] > 20


def test_ten_thousand_runs_leave_memory_as_it_was():
    model = models.decay()

    def run(count):
        for _ in range(count):
            model.run(k=1.5, stop=0.1, interval=0.1)["x"]
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    run(2000)
    before = run(1)
    assert run(10_000) - before < 2_000_000


def test_a_run_costs_little_beyond_itself():
    model = models.decay()
    handle = model._handle
    own, all_of_it = [], []
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(300):
            orrery.model._orrery.run(handle, {"k": 1.0},
                                     {"stop": 0.1, "interval": 0.1}, "", None)
        own.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        for _ in range(300):
            model.run(k=1.0, stop=0.1, interval=0.1)
        all_of_it.append(time.perf_counter() - begin)
    assert (min(all_of_it) - min(own)) / 300 < 100e-6  # 50 on a quiet machine.


def test_an_array_is_at_hand_at_once():
    r = models.decay().run(interval=1e-5)
    r["x"]
    begin = time.perf_counter()
    for _ in range(10_000):
        r["x"]
    assert (time.perf_counter() - begin) / 10_000 < 2e-6


SWITCHED = """
model Switched
  parameter Real k = 2;
  final parameter Real half = k/2;
  parameter Integer n = 2;
  input Real u(start=0.5);
  Real x[n](each start=1, each fixed=true);
  Real y = 2*x[1];
  Boolean on(start=false, fixed=true);
  Integer count(start=0, fixed=true);
equation
  for i in 1:n loop
    der(x[i]) = (if on then u else -u) - k*x[i];
  end for;
  when sample(0.1, 0.1) then
    count = pre(count) + 1;
  end when;
  on = if pre(on) then x[1] < 0.3 else x[1] < -0.1;
end Switched;
"""


@pytest.mark.parametrize("middle", [0.95, 1.33, 2.05])
def test_a_run_goes_on_from_the_final_values_of_another(middle):
    model = orrery.modelica(SWITCHED)
    how = {"tolerance": 1e-10, "record": ["*"]}
    whole = model.run({"u": 0.7, "k": 1.5}, stop=3, **how)
    first = model.run({"u": 0.7, "k": 1.5}, stop=middle, **how)
    second = model.run(first.final, start=middle, stop=3, **how)
    assert second.final["x[1]"] == pytest.approx(whole.final["x[1]"], rel=1e-7)
    assert second.final["on"] == whole.final["on"]
    assert second.final["k"] == 1.5 and second.final["u"] == 0.7
    assert second["count"][0] == first.final["count"]


def test_final_values_may_be_changed_and_shared_by_experiments():
    model = orrery.modelica(SWITCHED)
    first = model.run({"x": [3, 4]}, stop=0)
    assert model.run(first.final, u=0, stop=0).final["x[2]"] == 4
    s = model.sweep({"u": [0, 1]}, "x[2]", settings=first.final, stop=0)
    assert s["x[2]"].tolist() == [4, 4]


def test_a_run_that_did_not_record_its_states_cannot_be_gone_on_from():
    model = orrery.modelica(SWITCHED)
    with pytest.raises(ValueError, match="state 'x' was not recorded"):
        model.run(model.run(record=["y"]).final)
