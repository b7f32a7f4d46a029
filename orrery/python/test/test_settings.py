"""Settings of models: where they come from, how long they hold."""
import copy
import decimal
import fractions
import pickle

import numpy as np
import pandas
import pytest

import models
import orrery


@pytest.mark.parametrize("settings", [{"k": 3}, {"k": "3 1/s"}, {"k": 3.0}])
def test_what_a_model_is_loaded_with_holds_in_all_its_runs(settings):
    model = orrery.modelica(models.DECAY, "", settings)
    assert model.parameters["k"].value == 3
    assert model.run().final["x"] == pytest.approx(np.exp(-3), rel=1e-5)
    assert model.run(k=1).final["k"] == 1
    assert model.sweep({"x": [1, 2]}, "k")["k"].tolist() == [3, 3]
    with model.start(stop=1) as run:
        assert run["k"] == 3
        run.step(0.5)
    assert run.result.final["k"] == 3


@pytest.mark.parametrize("points", [
    {"k": [1, 2]}, [{"k": 1}, {"k": 2}], {"k [1/min]": [60, 120]},
    pandas.DataFrame({"k": [1, 2]})])
def test_points_replace_what_a_model_is_loaded_with(points):
    model = orrery.modelica(models.DECAY, k=5)
    s = model.sweep(points=points, keep="x")
    assert s["k"].tolist() == [1, 2]
    assert s["x"] == pytest.approx(np.exp([-1, -2]), rel=1e-5)


def test_points_of_a_file_replace_what_a_model_is_loaded_with(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("k [1/min];x\n60;1\n120;2\n")
    model = orrery.modelica(models.DECAY, k=5)
    s = model.sweep(points=path, keep="final(x)")
    assert s["k"].tolist() == [1, 2]
    assert s["final(x)"] == pytest.approx([np.exp(-1), 2 * np.exp(-2)],
                                          rel=1e-5)


def test_points_leave_the_rest_that_a_model_is_loaded_with():
    model = orrery.modelica(models.DECAY, k=3)
    s = model.sweep(points={"x": [1, 2]}, keep="k")
    assert s["k"].tolist() == [3, 3]


def test_points_of_a_run_that_goes_on_replace_its_last_values():
    model = models.decay()
    s = model.sweep(points={"k": [1, 2]}, keep="x",
                    settings=model.run(k=1).final)
    assert s["x"] == pytest.approx(np.exp([-2, -3]), rel=1e-5)


def test_a_setting_of_what_points_give_is_refused():
    with pytest.raises(ValueError, match="cannot set 'k' to 5"):
        models.decay().sweep(points={"k": [1, 2]}, settings={"k": 5})


def test_arrays_that_a_model_is_loaded_with_hold_by_element():
    model = orrery.modelica(models.ARRAYS, "", {"T[2]": 2, "mode": "Fast"},
                            n=3)
    assert model.parameters["T"].value.tolist() == [300, 2]
    assert model.parameters["mode"].value == "Fast"
    assert model.run()["x"].shape[1] == 3


@pytest.mark.parametrize("name, hint", [
    ("zz", "known: k"), ("sme", "did you mean 'same'"), ("z[1]", "known: k")])
def test_a_setting_of_no_quantity_is_no_way_to_load(name, hint):
    with pytest.raises(ValueError) as raised:
        orrery.modelica(models.DECAY, "", {name: 3})
    assert f"with '{name}'" in str(raised.value)
    assert hint in str(raised.value)


@pytest.mark.parametrize("words, options", [
    (({"k": 1},), {}), ((5,), {}), ((), {"class_name": "Decay"})])
def test_a_class_is_a_text_by_its_place(words, options):
    with pytest.raises(TypeError, match="class"):
        orrery.modelica(models.DECAY, *words, **options)


def test_several_classes_of_a_text_say_how_to_name_one_of_a_text():
    with pytest.raises(ValueError) as raised:
        orrery.modelica("model A end A; model B end B;")
    assert 'orrery.modelica(text, "Name")' in str(raised.value)


@pytest.mark.parametrize("value", [
    np.array([2.5]), np.array(2.5), decimal.Decimal("2.5"),
    fractions.Fraction(5, 2), np.float32(2.5)])
def test_numbers_of_all_kinds_are_numbers(value):
    assert models.decay().run(k=value).final["k"] == 2.5
    if np.ndim(value) == 0:
        assert models.decay().run(stop=value).time[-1] == 2.5


def test_a_series_has_settings_by_name():
    r = models.decay().run(pandas.Series({"k": 3.0, "x": 2.0}))
    assert (r.final["k"], r["x"][0]) == (3, 2)


@pytest.mark.parametrize("name", ["T", "mode", "on"])
def test_a_quantity_is_a_setting_with_its_value(name):
    model = models.arrays()
    its = model.parameters[name]
    assert np.all(model.run({name: its})[name][-1] == model.run()[name][-1])


@pytest.mark.parametrize("options", [
    {"k": 10**400}, {"stop": -10**400}, {"tolerance": 10**400},
    {"max_step": fractions.Fraction(10**400)}])
def test_a_number_above_that_of_a_float_is_named(options):
    with pytest.raises(ValueError, match=f"'{next(iter(options))}': it is"):
        models.decay().run(**options)


@pytest.mark.parametrize("settings", [{1: 2}, {None: 1}, pandas.Series([1.])])
def test_names_of_settings_are_texts(settings):
    with pytest.raises(TypeError, match="give the name as a text"):
        models.decay().run(settings)


def test_one_name_is_set_once():
    with pytest.raises(ValueError, match="'k' twice"):
        models.decay().run({"k": 1}, k=2)


@pytest.mark.parametrize("thing", ["a", None, 3])
def test_a_model_is_made_by_loading_it(thing):
    with pytest.raises(TypeError, match="orrery.load"):
        orrery.Model(thing)


def test_a_copy_through_pickle_has_what_its_model_was_loaded_with(tmp_path):
    (tmp_path / "decay.mo").write_text(models.DECAY)
    model = orrery.load(tmp_path / "decay.mo", k=3)
    for its in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert its.run().final["k"] == 3
