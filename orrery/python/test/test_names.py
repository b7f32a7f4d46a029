"""What may stand for a name of a signal, a column or a curve."""
import numpy as np
import pytest

import models
import orrery

DRY = """
model Dry
  Real h(start=1, fixed=true);
equation
  der(h) = -0.5;
  when h < 0 then
    terminate("dry");
  end when;
end Dry;
"""


@pytest.mark.parametrize("name", [0, ("x", "same"), ["x", "same"], None])
def test_a_signal_is_asked_for_by_a_name(name):
    r = models.decay().run()
    for ask in (lambda: r[name], lambda: r.final[name], lambda: r.unit(name)):
        with pytest.raises(TypeError, match="give the name of one"):
            ask()


@pytest.mark.parametrize("name", [0, ["x"], None, ("k", "x")])
def test_a_column_is_asked_for_by_a_name(name):
    runs = models.decay().sweep({"k": [1, 2]}, "x")
    with pytest.raises(TypeError, match=r'give the name of one, runs\["x"\]'):
        runs[name]


def test_several_signals_between_rows_are_columns():
    r = models.decay().run(k=1)
    assert r.at(0.5, ["x", "minus"]) == pytest.approx(
        [np.exp(-0.5), -np.exp(-0.5)], rel=1e-5)
    found = r.at([0, 0.5, 1], ["x", "k"])
    assert found.shape == (3, 2) and found[:, 1].tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="give one or more"):
        r.at(0.5, [])
    with pytest.raises(KeyError, match="'zz'"):
        r.at(0.5, ["x", "zz"])


def test_curves_are_names_or_lists_or_arrays():
    r = models.arrays().run()
    assert len(r.plot(["x[1]", "y"]).lines) == 2
    assert len(r.plot("y", ["now", "on"]).lines) == 3
    assert len(r.plot("x").lines) == 2
    assert r.svg(["x[1]", "x[2]"]) == r.svg("x[1]", "x[2]")
    with pytest.raises(TypeError, match="'curves'"):
        r.plot(3)


@pytest.mark.parametrize("ax", [3, "x", [1, 2]])
def test_pictures_are_drawn_on_axes(ax):
    model = models.decay()
    times = np.linspace(0, 1, 5)
    fit = model.calibrate({"time": times, "x": np.exp(-times)},
                          {"k": (0.1, 5)})
    runs = model.sweep({"k": [1, 2]}, "x")
    for draw in (model.run().plot, fit.plot, runs.plot):
        with pytest.raises(TypeError, match="give axes of matplotlib"):
            draw(ax=ax)


def test_times_of_a_dataset_can_be_unique():
    r = models.ball().run(stop=1)
    first = np.sqrt(2 / 9.81)
    assert not r.to_xarray().indexes["time"].is_unique
    data = r.to_xarray(["v"], unique=True)
    assert data.indexes["time"].is_unique
    after = float(data["v"].sel(time=first, method="nearest"))
    assert after == pytest.approx(0.8 * 9.81 * first, abs=0.05)


@pytest.mark.parametrize("length", [1, 0.3, 0.7])
def test_a_run_that_its_model_ended_does_not_go_on(length):
    with orrery.modelica(DRY).start(stop=10) as run:
        while not run.has_ended:
            run.step(length)
        assert run.time == pytest.approx(2)
        assert run["time"] == run.time
        for go_on in (lambda: run.step(1), lambda: run.run_until(9)):
            with pytest.raises(orrery.RunError) as raised:
                go_on()
            assert "terminated at t = 2 s: dry" in str(raised.value)
            assert raised.value.result.time[-1] == pytest.approx(2)


def test_a_run_at_its_stop_time_has_ended():
    with models.decay().start(stop=1) as run:
        count = 0
        while not run.has_ended:
            run.step(0.3)
            count += 1
    assert count == 4 and run.result.summary.completed


def test_names_are_completed_in_brackets():
    with models.decay().start() as run:
        assert {"time", "x", "k"} <= set(run._ipython_key_completions_())


def test_a_package_lists_its_public_names_alone():
    assert dir(orrery) == sorted([*orrery.__all__, "blocks"])
