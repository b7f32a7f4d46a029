"""Loading models, and what they tell about themselves."""
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import models
import orrery

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"


def test_a_file_is_loaded_by_its_path():
    path = EXAMPLES / "pendulum" / "pendulum.mo"
    assert orrery.load(path).name == orrery.load(str(path)).name == "Pendulum"


def test_a_netlist_is_loaded():
    path = next(EXAMPLES.glob("*/*.cbd"))
    assert orrery.load(path).run(stop=0.1).summary.completed


def test_one_of_several_classes_is_loaded_by_its_name():
    text = "model A Real x = 1; end A; model B Real x = 2; end B;"
    assert orrery.modelica(text, "B").run().final["x"] == 2


def test_a_setting_that_shapes_the_equations_is_given_to_load():
    model = orrery.modelica(models.ARRAYS, n=3)
    r = model.run(stop=1, tolerance=1e-9)
    assert r["x"].shape[1] == 3
    assert r["x"][-1] == pytest.approx(np.exp([-1, -2, -3]), rel=1e-7)


def test_parameters_have_what_the_model_says_about_them():
    k = models.decay().parameters["k"]
    assert (k.value, k.unit, k.min, k.max) == (2.0, "1/s", 0.0, 100.0)
    assert (k.description, k.kind, k.type) == ("Rate", "parameter", "Real")


def test_values_of_parameters_have_their_types():
    its = models.arrays().parameters
    assert its["n"].value == 2 and isinstance(its["n"].value, int)
    assert its["on"].value is True
    assert its["mode"].value == "Slow"
    assert its["mode"].literals == ("Slow", "Fast")
    assert its["T"].value.tolist() == [300, 310]
    assert its["m"].value.tolist() == [[1, 2], [3, 4]]
    assert its["n"].is_structural and its["fixed_one"].is_final


def test_a_parameter_that_follows_from_others_has_its_value():
    model = orrery.modelica("model M parameter Real a = 3; parameter Real b = "
                            "2*a; Real x = b; end M;")
    assert model.parameters["b"].value == 6


def test_states_have_their_starts_and_inputs_are_listed():
    model = orrery.modelica("model M input Real u(unit=\"V\") = 4; Real x("
                            "start=3, fixed=true); equation der(x) = u; "
                            "end M;")
    assert model.states["x"].value == 3
    assert list(model.inputs) == ["u"]
    assert model.inputs["u"].unit == "V"


def test_an_unknown_parameter_names_the_nearest():
    with pytest.raises(KeyError, match="did you mean 'mode'"):
        models.arrays().parameters["mod"]


def test_equations_are_text_and_latex():
    equations = models.decay().equations()
    assert "der(x) = -k*x" in equations
    assert r"\dot{x} &= -k\,x" in equations._repr_latex_()


def test_warnings_are_findings_with_lines():
    model = orrery.modelica(
        "model M\n  Real x(unit=\"m\") = y;\n  Real y(unit=\"s\") = time;\n"
        "end M;")
    assert model.warnings[0].severity == "warning"
    assert model.warnings[0].line == 2


def test_parameters_are_a_table_in_notebooks():
    page = models.arrays().parameters._repr_html_()
    assert "<th>unit</th>" in page and "<td>Temperatures</td>" in page
    assert "prefers-color-scheme:dark" in page


def test_parameters_are_a_table_of_pandas():
    frame = models.decay().parameters.to_pandas()
    assert frame.loc["k", "value"] == 2 and frame.loc["k", "unit"] == "1/s"


@pytest.mark.parametrize("text", [models.DECAY, models.BALL, models.ARRAYS])
def test_models_go_through_pickle_with_their_text(text, tmp_path):
    path = tmp_path / "model.mo"
    path.write_text(text)
    model = orrery.load(path)
    stored = pickle.dumps(model)
    path.unlink()
    script = ("import pickle, sys; m = pickle.load(sys.stdin.buffer); "
              "print(repr(m.run(stop=1).time.sum()), m.name)")
    told = subprocess.run([sys.executable, "-c", script], input=stored,
                          capture_output=True, check=True)
    here = f"{model.run(stop=1).time.sum()!r} {model.name}\n"
    assert told.stdout.decode() == here


def test_a_pickled_model_keeps_the_settings_it_was_loaded_with():
    model = pickle.loads(pickle.dumps(orrery.modelica(models.ARRAYS, n=4)))
    assert model.run(stop=0.1)["x"].shape[1] == 4


LIBRARY = """
package Tanks "Tanks of water"
  model Draining "A tank that drains"
    parameter Real k = 0.5;
    Real h(start=2, fixed=true);
  equation
    der(h) = -k*h;
  end Draining;
end Tanks;
"""


def test_a_class_of_a_library_stands_in_place_of_a_file(tmp_path, monkeypatch):
    (tmp_path / "Tanks").mkdir()
    (tmp_path / "Tanks" / "package.mo").write_text(LIBRARY)
    monkeypatch.setenv("MODELICAPATH", f"{tmp_path}/none:{tmp_path}")
    model = orrery.load("Tanks.Draining", k=1)
    assert model.run(stop=1).final["h"] == pytest.approx(2*np.exp(-1), 1e-6)


def test_a_class_of_no_library_says_where_it_was_looked_for(monkeypatch):
    monkeypatch.setenv("MODELICAPATH", "")
    with pytest.raises(orrery.FileError, match="its library Tanks is neither "
                       "in this folder nor in one of MODELICAPATH"):
        orrery.load("Tanks.Draining")


def test_a_class_in_place_of_a_file_is_the_only_one(tmp_path, monkeypatch):
    (tmp_path / "Tanks.mo").write_text(LIBRARY)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(orrery.ArgumentError, match="write the whole name"):
        orrery.load("Tanks.Draining", "Tanks")
