"""Experiments: their numbers, and that they are those of the command."""
import json
import os
import pathlib
import subprocess

import numpy as np
import pandas
import pytest

import models
import orrery

TANK = """
model Tank "A tank that is filled and leaks"
  parameter Real k(unit="1/s", min=0) = 0.5 "Leak";
  parameter Integer n = 1;
  input Real u(unit="m/s") = 1 "Feed";
  Real h(unit="m", start=2, fixed=true) "Level";
  output Real y(unit="m") = n*h;
equation
  der(h) = u - k*h;
end Tank;
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("experiments")
    (path / "tank.mo").write_text(TANK)
    times = np.linspace(0, 4, 21)
    levels = level(times, 0.8) + 0.01 * np.cos(40 * times)
    pandas.DataFrame({"time": times, "h": levels}).to_csv(
        path / "data.csv", index=False)
    return path


@pytest.fixture(scope="module")
def tank(folder):
    return orrery.load(folder / "tank.mo")


def level(t, k, u=1.0, h=2.0):
    """The solution of der(h) = u - k h."""
    return u / k + (h - u / k) * np.exp(-k * t)


def without_times(document):
    """A report without how long it took."""
    return {name: value for name, value in document.items()
            if name != "run_ms"}


def told_by_command(folder, *words):
    """What the command reports of the same experiment, by --json."""
    if "ORRERY_COMMAND" not in os.environ:
        pytest.skip("needs the command")
    told = subprocess.run([os.environ["ORRERY_COMMAND"], *words, "--no-save",
                           "--json"], cwd=folder, capture_output=True)
    return without_times(json.loads(told.stdout))


# Sweeps ---------------------------------------------------------------------


def test_a_sweep_has_the_final_values_of_the_solution(tank):
    s = tank.sweep({"k": "0.5:0.5:2"}, keep=["h"], stop=3, tolerance=1e-9)
    assert s["k"].tolist() == [0.5, 1, 1.5, 2]
    assert s["h"] == pytest.approx(level(3, s["k"]), rel=1e-7)
    assert (s.varied, s.kept, s.unit("h")) == (["k"], ["h"], "m")


@pytest.mark.parametrize("values", [
    "0.25:0.25:1", [0.25, 0.5, 0.75, 1], np.linspace(0.25, 1, 4),
    "linspace(0.25,1,4)", "{0.25,0.5,0.75,1}",
    pandas.Series([0.25, 0.5, 0.75, 1])])
def test_ranges_may_have_any_form(tank, values):
    s = tank.sweep({"k": values}, "final(h)")
    assert s["k"].tolist() == [0.25, 0.5, 0.75, 1]


def test_columns_are_read_only_views(tank):
    s = tank.sweep({"k": [1, 2]}, "final(h)")
    assert np.shares_memory(s["k"], s["k"])
    with pytest.raises(ValueError, match="read-only"):
        s["k"][0] = 3
    assert np.shares_memory(s.to_pandas()["k"].to_numpy(), s["k"])


def test_a_grid_is_a_dataset_over_what_varied(tank):
    data = tank.sweep({"k": [0.5, 1, 2], "h": np.array([1.0, 3.0])},
                      {"last": "final(h)"}, stop=2,
                      tolerance=1e-9).to_xarray()
    assert data["last"].dims == ("k", "h") and data["k"].attrs == {
        "units": "1/s"}
    for k in (0.5, 1, 2):
        for h in (1, 3):
            assert float(data["last"].sel(k=k, h=h)) == pytest.approx(
                level(2, k, h=h), rel=1e-7)


def test_points_of_a_table_are_runs(tank, tmp_path):
    frame = pandas.DataFrame({"k": [1.0, 2.0, 0.3], "u": [0.0, 1.0, 2.0]})
    frame.to_csv(tmp_path / "points.csv", index=False)
    for points in (frame, dict(frame), tmp_path / "points.csv"):
        s = tank.sweep(points=points, keep="final(h)", tolerance=1e-9)
        assert s["final(h)"] == pytest.approx(
            level(1, frame["k"], frame["u"]), rel=1e-7)


def test_random_points_have_their_distribution(tank):
    s = tank.monte_carlo({"k": "normal(1, 0.1)"}, "final(h)", runs=2000,
                         seed=3)
    assert s.runs == 2000 and set(s.status) == {"completed"}
    assert s["k"].mean() == pytest.approx(1, abs=4 * 0.1 / np.sqrt(2000))
    assert s["k"].std() == pytest.approx(0.1, rel=0.06)
    assert s["k"].std() != 0


def test_the_number_of_threads_changes_nothing(tank):
    runs = [tank.monte_carlo({"k": (0.5, 2)}, "final(h)", runs=200, jobs=jobs)
            for jobs in (1, 2, 5)]
    for its in runs[1:]:
        assert (its["k"] == runs[0]["k"]).all()
        assert (its["final(h)"] == runs[0]["final(h)"]).all()


def test_runs_that_fail_have_a_reason():
    model = orrery.modelica("model M parameter Real a = 1; Real x = sqrt(a - "
                            "time); end M;")
    s = model.sweep({"a": [0.5, 2]}, "final(x)")
    assert list(s.status) == ["failed", "completed"]
    assert "sqrt" in s.failures[0] and len(s.failures) == 1


def test_settings_and_options_are_those_of_all_runs(tank):
    s = tank.sweep({"k": [1, 2]}, "final(h)", settings={"u": "2 m/s"},
                   stop="2 s", tolerance=1e-9)
    assert s["final(h)"] == pytest.approx(level(2, s["k"], 2), rel=1e-7)


def test_inputs_over_time_are_those_of_all_runs(tank):
    s = tank.sweep({"k": [1, 2]}, "final(h)", stop=1, tolerance=1e-9,
                   inputs={"time": [0, 1], "u": [3, 3]})
    assert s["final(h)"] == pytest.approx(level(1, s["k"], 3), rel=1e-7)


@pytest.mark.parametrize("words, sweep", [
    (["--vary", "k=0.5:0.5:2", "--keep", "peak=max(h)"],
     lambda m: m.sweep({"k": "0.5:0.5:2"}, {"peak": "max(h)"})),
    (["--vary", "k=normal(1,0.2)", "--vary", "h=[1,3]", "--runs", "50",
      "--keep", "final(h)", "--seed", "5", "--correlate", "k,h=0.3"],
     lambda m: m.sweep({"k": "normal(1,0.2)", "h": (1, 3)}, "final(h)",
                       runs=50, seed=5, correlate={("k", "h"): 0.3})),
    (["--vary", "k={1,2}", "--vary", "h={1,2}", "--design", "list",
      "--keep", "final(h)", "--stop", "2", "--solver", "rk4", "--step",
      "0.01"],
     lambda m: m.sweep({"k": [1, 2], "h": [1, 2]}, "final(h)",
                       design="list", stop=2, method="rk4", step=0.01)),
    (["--vary", "k={1,2}"], lambda m: m.sweep({"k": [1, 2]})),
])
def test_a_sweep_is_that_of_the_command(folder, tank, words, sweep):
    assert without_times(sweep(tank).document) == told_by_command(
        folder, "sweep", "tank.mo", *words)


@pytest.mark.parametrize("method, samples", [
    ("morris", 5), ("sobol", 64), ("local", None)])
def test_a_sensitivity_is_that_of_the_command(folder, tank, method, samples):
    vary = {"k": (0.5, 2), "h": (1, 3)}
    words = ["--vary", "k=[0.5,2]", "--vary", "h=[1,3]", "--keep", "final(h)",
             "--method", method]
    words += ["--samples", str(samples)] if samples else []
    s = tank.sensitivity(vary, "final(h)", method=method, samples=samples)
    assert without_times(s.document) == told_by_command(
        folder, "sensitivity", "tank.mo", *words)
    assert list(s.indices().index) == ["k", "h"]


def test_local_effects_are_the_derivatives(tank):
    s = tank.sensitivity({"k": 0.5, "h": 2}, "final(h)", method="local",
                         tolerance=1e-10)
    table = s.indices("final(h)")
    assert table.loc["h", "derivative"] == pytest.approx(np.exp(-0.5))
    step = 1e-6
    slope = (level(1, 0.5 + step) - level(1, 0.5 - step)) / (2 * step)
    assert table.loc["k", "derivative"] == pytest.approx(slope, rel=1e-6)


# Calibration ----------------------------------------------------------------


def test_an_estimate_is_near_the_truth_and_has_errors(tank, folder):
    fit = tank.calibrate(folder / "data.csv", {"k": (1, 0.1, 10)})
    assert fit.values["k"] == pytest.approx(0.8, abs=0.02)
    assert fit.standard_errors["k"] == pytest.approx(
        np.sqrt(fit.covariance[0, 0]))
    low, high = fit.intervals["k"]
    assert low < fit.values["k"] < high
    assert fit.status == "converged"
    assert fit.runs[0].final["h"] == pytest.approx(
        level(4, fit.values["k"]), rel=1e-4)
    assert len(fit.residuals) == 21
    assert fit.correlation.tolist() == [[1]]


def test_a_calibration_is_that_of_scipy(tank, folder):
    from scipy.optimize import curve_fit
    data = pandas.read_csv(folder / "data.csv")
    k, covariance = curve_fit(level, data["time"], data["h"], p0=[1])
    fit = tank.calibrate(data, {"k": (1, 0.1, 10)}, tolerance=1e-10)
    assert fit.values["k"] == pytest.approx(k[0], rel=1e-6)
    assert fit.covariance[0, 0] == pytest.approx(covariance[0, 0], rel=1e-3)


def test_a_calibration_is_that_of_the_command(folder, tank, monkeypatch):
    monkeypatch.chdir(folder)
    fit = tank.calibrate("data.csv", {"k": (1, 0.1, 10)}, loss="huber",
                         sigma="5%")
    assert without_times(fit.document) == told_by_command(
        folder, "calibrate", "tank.mo", "--vary", "k=1[0.1,10]", "--data",
        "data.csv", "--loss", "huber", "--sigma", "5%")


def test_several_runs_are_fitted_together(tank):
    times = np.linspace(0, 3, 10)
    data = [({"time": times, "h": level(times, 0.7, u)}, {"u": u})
            for u in (0.0, 2.0)]
    fit = tank.calibrate(data, {"k": (1, 0.1, 10)})
    assert fit.values["k"] == pytest.approx(0.7, rel=1e-4)
    assert [r.final["u"] for r in fit.runs] == [0, 2]


def test_a_fit_has_a_picture_and_a_table(tank, folder):
    fit = tank.calibrate(folder / "data.csv", {"k": (1, 0.1, 10)})
    assert len(fit.plot().lines) == 2
    assert "<td>k</td>" in fit._repr_html_() and "converged" in repr(fit)


@pytest.mark.parametrize("data, message", [
    ({"time": [0, 1], "hh": [1, 2]}, "h"),
    ({"time": [9, 10], "hh": [1, 2]}, "h"),
    ({"time": [0, 1], "h": [1, 2, 3]}, "3 rows"),
    ({"h": [1, 2]}, "without a column 'time'"),
])
def test_data_that_do_not_suit_are_named(tank, data, message):
    with pytest.raises(ValueError) as raised:
        tank.calibrate(data, {"k": (0.1, 10)})
    assert message in str(raised.value)


# Optimisation ---------------------------------------------------------------


def test_an_optimum_is_where_the_slope_is_zero(tank):
    best = tank.optimize({"u": (0, 5)}, minimize="(final(h) - 3)^2", stop=10,
                         tolerance=1e-9)
    wanted = 0.5 * (3 - 2 * np.exp(-5)) / (1 - np.exp(-5))
    assert best.values["u"] == pytest.approx(wanted, rel=1e-5)
    assert best.objective == pytest.approx(0, abs=1e-8)
    assert best.result.final["h"] == pytest.approx(3, rel=1e-5)
    assert best.history.runs == best.document["evaluations"]


def test_a_condition_binds_the_optimum(tank):
    best = tank.optimize({"u": (0, 5)}, maximize="final(h)",
                         subject_to=["max(h) <= 4"], stop=10)
    assert best.objective == pytest.approx(4, rel=1e-4)
    assert best.constraints[0]["holds"]


def test_an_optimum_is_that_of_the_command(folder, tank):
    best = tank.optimize({"u": (1, 0, 5)}, minimize="(final(h) - 3)^2",
                         stop=10)
    assert without_times(best.document) == told_by_command(
        folder, "optimize", "tank.mo", "--vary", "u=1[0,5]", "--minimize",
        "(final(h) - 3)^2", "--stop", "10")


def test_several_goals_have_a_front(folder, tank):
    front = tank.optimize({"u": (0, 5)}, maximize=["final(h)"],
                          minimize="final(u)", max_evaluations=60)
    assert without_times(front.document) == told_by_command(
        folder, "optimize", "tank.mo", "--vary", "u=[0,5]", "--minimize",
        "final(u)", "--maximize", "final(h)", "--max-evaluations", "60")
    assert len(front) == len(front["u"]) == len(front.to_pandas())


def test_an_optimum_that_meets_no_condition_raises(tank):
    with pytest.raises(orrery.RunError) as raised:
        tank.optimize({"u": (0, 5)}, minimize="final(u)",
                      subject_to="final(h) >= 1000")
    assert isinstance(raised.value.result, orrery.Optimum)


# Analyses -------------------------------------------------------------------


def test_a_steady_state_has_no_derivatives(tank):
    point = tank.steady(settings={"u": 3})
    assert point["h"] == pytest.approx(6) and point["y"] == pytest.approx(6)
    assert point.found and point.unit("h") == "m"


def test_a_condition_finds_an_input(tank):
    point = tank.steady({"h": 5}, free={"u": 1}, bounds={"u": (0, None)})
    assert point["u"] == pytest.approx(2.5)


def test_a_steady_state_is_that_of_the_command(folder, tank):
    point = tank.steady({"h": 5}, free=["u"])
    assert point.document == told_by_command(
        folder, "steady", "tank.mo", "--fix", "h=5", "--free", "u")


def test_a_steady_state_that_is_not_there_raises():
    model = orrery.modelica("model M Real x(start=0, fixed=true); equation "
                            "der(x) = 1 + x^2; end M;")
    with pytest.raises(orrery.RunError, match="no steady state of M"):
        model.steady()
    assert not model.steady(check=False).found


def test_a_point_that_is_none_has_nan():
    model = orrery.modelica("model N Real x(start=1, fixed=true); output Real "
                            "y; equation der(x) = x^2 + 1; y = 1/(x - x); "
                            "end N;")
    point = model.steady(check=False)
    assert not point.found and np.isnan(point["y"])


def test_an_optimum_that_was_not_found_has_nothing():
    model = orrery.modelica("model M parameter Real k=1; Real x(start=1, fixed"
                            "=true); equation der(x) = sqrt(-k)*x; end M;")
    best = model.optimize({"k": (1, 10)}, minimize="final(x)", check=False,
                          max_evaluations=5)
    assert best.result is None and best.constraints == [] and not best.values
    front = model.optimize({"k": (1, 10)}, minimize=["final(x)", "max(x)"],
                           check=False, max_evaluations=20)
    with pytest.raises(KeyError, match="no quantity or objective 'k'"):
        front["k"]


def test_a_linear_system_has_the_matrices(folder, tank):
    system = tank.steady().linearize()
    A, B, C, D = system
    assert (A, B, C, D) == (-0.5, 1, 1, 0)
    assert system["h"] == system.states["h"] and "h" in system
    assert "A" not in system
    assert system.poles.tolist() == [-0.5] and system.is_stable
    assert system.document == told_by_command(
        folder, "linearize", "tank.mo", "--at", "steady")


def test_a_system_at_a_time_is_linearised_there():
    model = orrery.modelica("model M input Real u = 0; Real x(start=1, fixed="
                            "true); output Real y = x^2; equation der(x) = "
                            "-x^2 + u; end M;")
    system = model.linearize(stop=3, tolerance=1e-10)
    assert system.A[0, 0] == pytest.approx(-2 * 0.25)  # x = 1/(1 + t)
    assert system.C[0, 0] == pytest.approx(2 * 0.25)


def test_a_frequency_response_is_that_of_the_transfer_function(tank):
    response = tank.linearize().bode("u", "y", [0.1, 1, 10])
    exact = 1 / (1j * np.array([0.1, 1, 10]) + 0.5)
    assert response.gain == pytest.approx(exact)
    assert len(response.plot()) == 2
    assert len(tank.frequency()) == 1


def test_a_frequency_response_is_that_of_the_command(folder, tank):
    told = told_by_command(folder, "linearize", "tank.mo", "--bode", "u:y",
                           "--frequencies", "0.1,1")
    mine = tank.linearize().bode("u", "y", [0.1, 1])
    assert [mine.document] == told["responses"]


# Errors ---------------------------------------------------------------------


@pytest.mark.parametrize("call, kind, message", [
    (lambda m: m.sweep({"kk": [1]}), ValueError, "kk"),
    (lambda m: m.sweep({"k": "1:"}), ValueError, "k=1:"),
    (lambda m: m.sweep({"k": []}), ValueError, "shape (0,)"),
    (lambda m: m.sweep({"k": (1, 2, 3, 4)}), ValueError, "(low, high)"),
    (lambda m: m.sweep([1]), TypeError, "give a dict"),
    (lambda m: m.sweep({"k": [1]}, keep="q"), ValueError, "q"),
    (lambda m: m.sweep({"k": [1]}, tolerence=1), TypeError, "tolerance"),
    (lambda m: m.sweep({"k": [1]}, record="x"), TypeError, "'record'"),
    (lambda m: m.sweep({"h": [1]}, k=2), TypeError, "settings={"),
    (lambda m: m.sweep({"k": [1]}, settings=["h"]), TypeError, "give a dict"),
    (lambda m: m.sweep({"k": [1]}, settings={"k": 2}), ValueError, "'k'"),
    (lambda m: m.sweep({"k": [1]}, jobs=0.5), TypeError, "'jobs'"),
    (lambda m: m.sweep({"k": [1]}, design="gird"), ValueError, "grid"),
    (lambda m: m.optimize({"k": (0, 1)}), ValueError, "say what"),
    (lambda m: m.optimize({"k": (0, 1)}, minimize="q"), ValueError, "q"),
    (lambda m: m.steady({"q": 1}), ValueError, "q"),
    (lambda m: m.linearize(outputs="q"), ValueError, "q"),
    (lambda m: m.linearize().bode("u", "q"), ValueError, "q"),
    (lambda m: m.sweep({"k": [1]})["hh"], KeyError, "hh"),
    (lambda m: m.sensitivity({"k": (1, 2)}, "final(h)", method="x"),
     ValueError, "morris"),
    (lambda m: m.sweep({"k": [1]}).indices(), ValueError,
     "no sensitivity analysis"),
])
def test_what_cannot_be_is_named(tank, call, kind, message):
    with pytest.raises(kind) as raised:
        call(tank)
    assert message in str(raised.value)


# Besides --------------------------------------------------------------------


def test_ctrl_c_ends_a_sweep_with_the_runs_that_are_done():
    import signal
    import threading
    import time
    model = orrery.modelica(models.LONG)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(orrery.Interrupted) as raised:
        model.sweep({"x": np.linspace(1, 2, 100_000)}, "final(x)", stop=20)
    assert time.monotonic() - begin < 2
    sweep = raised.value.result
    done = sweep.status == "completed"
    assert 0 < done.sum() < 100_000
    assert np.isfinite(sweep["final(x)"][done]).all()


def test_ctrl_c_ends_a_calibration():
    import signal
    import threading
    model = orrery.modelica(models.LONG)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    times = np.linspace(0, 20, 50)
    with pytest.raises(KeyboardInterrupt) as raised:
        model.calibrate({"time": times, "x": np.sin(times)},
                        {"x": (-9, 9), "y": (-9, 9)}, starts=100_000,
                        check=False)
    assert raised.value.result.status == "interrupted"


def test_progress_counts_runs(tank):
    told = []
    tank.sweep({"k": np.linspace(0.1, 1, 60_000)}, "final(h)",
               progress=told.append, method="rk4", step=0.001)
    assert told == sorted(told) and all(0 <= its <= 60_000 for its in told)


def test_a_table_of_runs_is_saved_and_drawn(tank, tmp_path):
    s = tank.sweep({"k": [1, 2]}, "final(h)")
    s.save(tmp_path / "runs.csv")
    back = pandas.read_csv(tmp_path / "runs.csv")
    assert (back["final(h)"] == s["final(h)"]).all()
    assert s.plot().get_xlabel() == "k [1/s]"
    assert "<th>k [1/s]</th>" in s._repr_html_()


PLUGINS = pathlib.Path(os.environ.get("ORRERY_PLUGINS", "/nowhere"))


@pytest.mark.skipif(not (PLUGINS / "libbank.so").exists(),
                    reason="needs the examples' plug-ins")
def test_a_plug_in_is_swept_like_the_command(folder):
    path = str(PLUGINS / "libbank.so")
    s = orrery.load(path).sweep({"tellers": [4, 5]}, "mean_wait_s",
                                stop="1 d", replications=3)
    assert without_times(s.document) == told_by_command(
        folder, "sweep", path, "--vary", "tellers={4,5}", "--keep",
        "mean_wait_s", "--stop", "1d", "--replications", "3")
    assert s.means().runs == 2


def test_ctrl_c_ends_an_optimisation():
    import signal
    import threading
    model = orrery.modelica(models.LONG)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as raised:
        model.optimize({"x": (-9, 9), "y": (-9, 9)}, minimize="final(x)",
                       stop=20, starts=100_000)
    best = raised.value.result
    assert best.status == "interrupted" and best.result is None
    assert -9 <= best.values["x"] <= 9 and best.history.runs > 0
