"""Results of all kinds in other processes."""
import pickle
import subprocess
import sys

import numpy as np
import pytest

import models
import orrery

PLANT = """
model Plant
  input Real u;
  parameter Real k(unit="1/s") = 1;
  Real x(unit="m", start=0, fixed=true);
  output Real y(unit="m") = x;
equation
  der(x) = u - k*x;
end Plant;
"""


def plant():
    return orrery.modelica(PLANT)


def again(its):
    """What comes out of a pickle."""
    return pickle.loads(pickle.dumps(its, protocol=5))


def in_fresh_process(its, expression, path):
    """What `expression` of `its` is in a process that has made nothing."""
    path.write_bytes(pickle.dumps(its))
    script = ("import pickle, sys; its = pickle.load(open(sys.argv[1], 'rb'));"
              f"print({expression})")
    return subprocess.run([sys.executable, "-c", script, str(path)],
                          check=True, capture_output=True,
                          text=True).stdout.strip()


def test_a_sweep_goes_through_pickle():
    s = plant().sweep({"k": [1, 2, 4], "u": (0, 1)}, ["x", "peak=max(x)"],
                      runs=6, design="random", stop=1)
    its = again(s)
    assert type(its) is orrery.Sweep and its.names == s.names
    assert all((its[name] == s[name]).all() for name in s)
    assert (its.unit("x"), its.varied, its.kept) == (
        "m", ["k", "u"], ["x", "peak"])
    assert its.document == s.document and its.to_pandas().equals(s.to_pandas())
    assert not its["k"].flags.writeable


def test_failures_and_warnings_go_with_a_sweep():
    s = orrery.modelica(
        "model M parameter Real k = 1; Real x = sqrt(k); equation "
        "assert(k < 2, \"it is large\", AssertionLevel.warning); end M;"
    ).sweep({"k": [-1, 1, 3]}, "x")
    its = again(s)
    assert its.failures == s.failures and list(its.failures) == [0]
    assert [str(w) for w in its.warnings] == [str(w) for w in s.warnings]
    assert list(its.status) == ["failed", "completed", "completed"]


def test_replications_and_texts_go_with_a_sweep():
    s = models.arrays().sweep({"mode": ["Slow", "Fast"]}, "y",
                              replications=2)
    its = again(s)
    assert its.texts("mode").tolist() == ["Slow", "Slow", "Fast", "Fast"]
    assert (its.means()["y"] == s.means()["y"]).all() and its.runs == 4


def test_a_random_experiment_goes_into_a_fresh_process(tmp_path):
    s = plant().monte_carlo({"u": "normal(1, 0.1)"}, "x", runs=20, stop=1)
    told = in_fresh_process(s, "its.runs, its['x'].sum()", tmp_path / "s")
    assert told == f"20 {s['x'].sum()}"


def test_a_sensitivity_analysis_goes_through_pickle():
    s = plant().sensitivity({"k": (1, 2), "u": (0, 1)}, "x", samples=4, stop=1)
    assert again(s).indices().equals(s.indices())


def test_an_optimum_goes_through_pickle(tmp_path):
    best = plant().optimize({"u": (0, 5)}, minimize="(final(x) - 2)^2", stop=3)
    its = again(best)
    assert its.values == best.values and its.document == best.document
    assert (its.history["u"] == best.history["u"]).all()
    assert (its.result["x"] == best.result["x"]).all()
    assert in_fresh_process(best, "its.values", tmp_path / "best") == str(
        best.values)


def test_a_front_goes_through_pickle():
    front = plant().optimize({"u": (0, 5)}, minimize=["final(x)", "-final(x)"],
                             max_evaluations=60, stop=1)
    its = again(front)
    assert len(its) == len(front) > 1
    assert (its["u"] == front["u"]).all()
    assert its.history.runs == front.history.runs


def test_a_fit_goes_through_pickle():
    data = {"time": [1, 2, 3], "x": [0.95, 1.30, 1.42]}
    fit = plant().calibrate(data, vary={"u": (1, 0, 10)})
    its = again(fit)
    assert its.values == fit.values
    assert (its.covariance == fit.covariance).all()
    assert (its.runs[0]["x"] == fit.runs[0]["x"]).all()


def test_a_steady_state_goes_through_pickle_with_its_model(tmp_path):
    point = plant().steady({"x": 2})
    assert again(point).linearize().A.tolist() == [[-1.0]]
    assert in_fresh_process(point, "its['u'], its.linearize().A.tolist()",
                            tmp_path / "point") == "2.0 [[-1.0]]"


def test_a_linear_system_goes_through_pickle():
    system = plant().linearize()
    its = again(system)
    assert (its.A == system.A).all() and its.poles == system.poles
    assert its.bode("u", "y", [1.0]).phase.round().tolist() == [-45.0]


def test_a_point_of_a_block_goes_through_pickle_without_its_model():
    class Decay(orrery.Block):
        u, x = orrery.Input(), orrery.State(1.0)

        def equations(self):
            yield orrery.der(self.x) == self.u - self.x

    point = Decay().model().steady({"x": 2.0})
    its = again(point)
    assert its["u"] == 2.0
    with pytest.raises(ValueError, match="made in Python"):
        its.linearize()


class Crew(orrery.Tasks):
    def start(self):
        return self.cleans()

    def cleans(self):
        yield 0.5


def test_the_result_of_a_simulation_keeps_its_timeline():
    simulation = orrery.Simulation()
    simulation.add(plant(), "plant")
    simulation.add(Crew(), "crew")
    r = simulation.run(stop=1)
    its = again(r)
    assert type(its) is type(r) and its.end == 1.0
    assert its.timeline().spans == r.timeline().spans
    assert its.statistics == r.statistics and (its["x"] == r["x"]).all()


@pytest.mark.parametrize("damage", [
    lambda parts: parts[3].pop(),
    lambda parts: parts[3].__setitem__(0, parts[3][0][:-1]),
    lambda parts: parts[4].pop(),
    lambda parts: parts[1][0].__setitem__("column", 7),
    lambda parts: parts[1][0].__setitem__("column", -2),
    lambda parts: parts[1][0].__setitem__("derivative", 99),
])
def test_a_damaged_pickle_of_a_run_is_refused(damage):
    function, parts = models.decay().run().__reduce_ex__(5)[:2]
    parts = [list(its) if isinstance(its, list) else its for its in parts]
    damage(parts)
    with pytest.raises(ValueError, match="damaged"):
        function(*parts)


@pytest.mark.parametrize("damage", [
    lambda parts: parts[1].pop(),
    lambda parts: parts[1].__setitem__(0, parts[1][0][:-1]),
    lambda parts: parts[2].__setitem__(0, 3),
    lambda parts: parts[2].pop(),
])
def test_a_damaged_pickle_of_a_sweep_is_refused(damage):
    s = models.decay().sweep({"k": [1, 2]}, "x")
    state = s.__getstate__()
    damage(state["_table"])
    with pytest.raises(ValueError, match="damaged"):
        orrery.Sweep.__new__(orrery.Sweep).__setstate__(state)


def test_pickles_of_a_long_run_do_not_copy_its_columns():
    r = plant().run(stop=1, output_times=np.linspace(0, 1, 20_001))
    buffers = []
    head = pickle.dumps(r, protocol=5, buffer_callback=buffers.append)
    assert len(head) < 20_000
    assert sum(len(its.raw()) for its in buffers) > 20_001 * 8
