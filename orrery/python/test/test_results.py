"""Results: arrays, tables, pictures, files, pickles."""
import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import models
import orrery


@pytest.fixture(scope="module")
def run():
    return models.decay().run(stop=2, tolerance=1e-10)


def test_an_array_is_what_the_run_recorded(run):
    assert run["x"] == pytest.approx(np.exp(-2 * run.time), rel=1e-8)


def test_arrays_are_views_of_one_memory(run):
    assert run["x"] is run["x"]
    assert np.shares_memory(run["x"], run._trajectory.column(0))


def test_an_alias_is_the_same_memory(run):
    assert np.shares_memory(run["x"], run["same"])


def test_a_negated_alias_is_computed_once(run):
    assert run["minus"] is run["minus"]
    assert (run["minus"] == -run["x"]).all()


def test_a_parameter_takes_no_memory_for_its_rows(run):
    assert run["k"].shape == run.time.shape and run["k"].strides == (0,)
    assert set(run["k"]) == {2.0}


def test_an_array_keeps_the_run_alive():
    x = models.decay().run(stop=1)["x"]
    np.zeros(1_000_000).sum()
    assert x[0] == 1 and x[-1] == pytest.approx(np.exp(-2), rel=1e-5)


def test_an_array_quantity_is_one_array():
    r = models.arrays().run(stop=1)
    assert r["m"].shape == (len(r.time), 2, 2)
    assert r["m"][0].tolist() == [[1, 2], [3, 4]]
    assert (r["x"][:, 1] == r["x[2]"]).all()


def test_an_array_quantity_is_recorded_by_its_name():
    r = models.arrays().run(record="T")
    assert r.names == ["T[1]", "T[2]"] and "T" in r and "m" not in r
    assert r["T"].shape == (len(r.time), 2)
    with pytest.raises(KeyError, match=r"is an array.* as 'T\[1\]'"):
        r.unit("T")


def test_names_units_and_descriptions_are_those_of_the_model(run):
    assert run.names == ["k", "x", "same", "minus", "der(x)"]
    assert run.unit("x") == "m" and run.unit("time") == "s"
    assert run.description("x") == "What fades"
    assert run.is_constant("k") and not run.is_constant("x")
    assert "x" in run and "time" in run and "nothing" not in run


def test_final_has_the_last_values(run):
    assert run.final["x"] == run["x"][-1]
    assert run.final["minus"] == -run["x"][-1]
    assert run.final["k"] == 2
    assert dict(run.final).keys() == set(run.names)


def test_values_between_rows_are_as_accurate_as_the_run(run):
    times = np.random.default_rng(1).uniform(0, 2, (5, 7))
    assert run.at(times, "x") == pytest.approx(np.exp(-2 * times), rel=1e-8)
    assert run.at("500 ms", "x") == pytest.approx(np.exp(-1), rel=1e-8)


def test_an_event_has_two_limits():
    r = models.ball().run(stop=1, tolerance=1e-9)
    at = np.sqrt(2 / 9.81)
    bounce = r.events.times_of("h <= 0")[0]
    assert bounce == pytest.approx(at, rel=1e-9)
    assert r.at(bounce, "v", left=True) == pytest.approx(-9.81 * at, rel=1e-8)
    assert r.at(bounce, "v") == pytest.approx(0.8 * 9.81 * at, rel=1e-8)
    assert (r.time == bounce).sum() == 2


def test_events_are_a_table():
    events = models.ball().run(stop=1).events
    assert events[0].direction == "rising"
    assert events[0].name == "h < 0.5"
    assert len(events[:2]) == 2
    frame = events.to_pandas()
    assert list(frame.columns) == ["time", "name", "direction"]
    assert (frame["time"] == events.time).all()
    assert "h &lt; 0.5" in events._repr_html_()


def test_the_summary_tells_the_work():
    its = models.decay().run(stop=1, method="rk4", step=0.1).summary
    assert (its.outcome, its.completed, its.steps) == ("completed", True, 10)
    assert (its.start, its.end_time, its.stop) == (0, 1, 1)
    assert its.solver == "rk4" and its.rhs_evaluations == 40


def test_a_frame_shares_the_memory_of_the_run(run):
    frame = run.to_pandas()
    for name in ("x", "same", "minus", "der(x)"):
        assert np.shares_memory(frame[name].to_numpy(), run[name])
    assert frame.index.name == "time"
    assert (frame.index.to_numpy() == run.time).all()
    assert frame.attrs["units"]["x"] == "m"
    assert "k" not in frame and "k" in run.to_pandas(["k"])


def test_a_frame_has_booleans_and_categories():
    frame = models.arrays().run({"mode": "Fast"}, stop=1).to_pandas()
    assert frame["now"].dtype.name == "category"
    assert frame["now"].iloc[0] == "Slow" and frame["now"].iloc[-1] == "Fast"
    low = models.ball().run(stop=0.4).to_pandas()["low"]
    assert low.dtype == bool
    assert not low.iloc[0] and low.iloc[-1]


def test_a_dataset_has_units_and_constants_without_dimension(run):
    data = run.to_xarray()
    assert data["x"].attrs == {"units": "m", "long_name": "What fades"}
    assert data["k"].dims == () and float(data["k"]) == 2
    assert np.shares_memory(data["x"].to_numpy(), run["x"])
    assert float(data["x"].sel(time=2)) == run.final["x"]


def test_a_plot_has_its_curves_and_units(run):
    axes = run.plot("x", "minus", color="k")
    assert [line.get_label() for line in axes.lines] == ["x [m]", "minus"]
    assert axes.get_xlabel() == "time [s]"
    phase = run.plot("x:der(x)")
    assert (phase.lines[0].get_xdata() == run["x"]).all()
    assert phase.get_ylabel().startswith("der(x)")
    assert run.plot("x", ax=axes) is axes and len(axes.lines) == 3


def test_a_plot_without_names_shows_what_varies(run):
    labels = [line.get_label() for line in run.plot().lines]
    assert labels == ["x [m]", "same", "minus"]


def test_notebooks_show_a_picture_that_suits_dark_pages(run):
    page = run._repr_html_()
    assert "<svg" in page and "prefers-color-scheme:dark" in page
    assert 'data-jp-theme-light="false"' in page
    assert "Decay: 2 s, 501 rows" in page
    assert page.count('id="title"') == 0  # Unique on the page.


@pytest.mark.parametrize("ending", ["csv", "mat", "h5"])
def test_files_have_all_bits(run, ending, tmp_path):
    path = tmp_path / f"run.{ending}"
    run.save(path)
    back = orrery.read(path)
    assert (back.time == run.time).all()
    for name in ("x", "same", "minus"):
        assert (back[name] == run[name]).all()


def test_files_have_the_signals_that_were_asked_for(run, tmp_path):
    path = tmp_path / "run.csv"
    run.save(path, ["minus"])
    assert orrery.read(path).names == ["minus"]


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_results_go_through_pickle(protocol):
    r = models.ball().run({"e": 0.5}, stop=1)
    back = pickle.loads(pickle.dumps(r, protocol))
    for name in r.names:
        assert (back[name] == r[name]).all()
    assert back.summary == r.summary and back.name == "Ball"
    assert back.events.names == r.events.names
    assert (back.events.time == r.events.time).all()
    assert back.at(0.3, "h") == r.at(0.3, "h")
    assert back.unit("v") == "m/s" and back.final["e"] == 0.5
    assert back.to_pandas()["low"].dtype == bool


def test_a_pickle_hands_the_columns_out_as_buffers(run):
    buffers = []
    pickled = pickle.dumps(run, 5, buffer_callback=buffers.append)
    assert len(pickled) < 8 * len(run.time)
    assert len(buffers) == run._trajectory.columns() + 2  # Times, of events.
    back = pickle.loads(pickled, buffers=buffers)
    assert (back["x"] == run["x"]).all()


def test_results_come_back_in_a_fresh_process(run):
    script = ("import pickle, sys; r = pickle.load(sys.stdin.buffer); "
              "print(repr(float(r['x'].sum())))")
    told = subprocess.run([sys.executable, "-c", script],
                          input=pickle.dumps(run), capture_output=True,
                          check=True)
    assert told.stdout.decode() == f"{float(run['x'].sum())!r}\n"


def test_copies_are_the_run_itself(run):
    assert copy.copy(run) is run and copy.deepcopy(run) is run


MODES = """model Modes
  type Mode = enumeration(slow, fast);
  Real c[Mode] = {time, 2*time};
  Real d[Mode, Boolean] = {{1, 2}, {3, 4}};
end Modes;"""


def test_elements_go_by_literals_and_by_numbers(tmp_path):
    r = orrery.modelica(MODES).run(stop=1)
    assert r.names[:2] == ["c[Mode.slow]", "c[Mode.fast]"]
    for name in ("c[Mode.fast]", "c[2]", "c[Modes.Mode.fast]"):
        assert r[name][-1] == 2
    assert r["c"].shape == (len(r.time), 2) and r["c"][-1].tolist() == [1, 2]
    assert r["d"][0].tolist() == [[1, 2], [3, 4]]
    assert pickle.loads(pickle.dumps(r))["c[2]"][-1] == 2
    assert orrery.modelica(MODES).run(record="c[2]").names == ["c[Mode.fast]"]
    assert orrery.modelica(MODES).run(record="d[*,true]").names == [
        "d[Mode.slow,true]", "d[Mode.fast,true]"]


def test_a_model_is_loaded_with_texts_of_its_strings():
    text = """model Kinds
  parameter String kind = "slow";
  Real speed = if kind == "slow" then 1 else 2;
end Kinds;"""
    assert orrery.modelica(text).run().final["speed"] == 1
    assert orrery.modelica(text, kind="fast").run().final["speed"] == 2


def test_a_model_is_loaded_with_texts_of_elements_of_an_array():
    text = """model Kinds
  parameter String kinds[3] = {"slow", "slow", "slow"};
  Real fast = sum(if kinds[i] == "fast" then i else 0 for i in 1:3);
end Kinds;"""
    assert orrery.modelica(
        text, "", {"kinds[2]": "fast"}).run().final["fast"] == 2
    both = {"kinds[1]": "fast", "kinds[3]": "fast"}
    assert orrery.modelica(text, "", both).run().final["fast"] == 4
    with pytest.raises(orrery.Error, match="elements, as of 'kinds.1.'"):
        orrery.modelica(text, kinds="fast")


def test_a_saved_run_keeps_what_was_asked_for(tmp_path):
    store = orrery.Store(tmp_path / "runs.db")
    model = orrery.modelica("model M Real x = time; protected Real y = 2*x; "
                            "Real z = 3*x; end M;")
    assert model.names == ["x"]
    assert model.run(record=["y", "x"], save=store).names == ["x", "y"]
    [saved] = store
    assert saved.document["record"] == ["y", "x"]
    assert model.run(record="*").names == ["x", "y", "z"]
