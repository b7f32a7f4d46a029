"""Models as FMUs."""
import numpy as np
import pytest

import orrery

LAG = """
model Lag
  parameter Real k(unit="1/s") = 1;
  Real x(start=1, fixed=true);
equation
  der(x) = -k*x;
end Lag;
"""


@pytest.mark.parametrize("version", [2, 3])
def test_an_exported_model_runs_as_the_model_does(tmp_path, version):
    path = tmp_path / "Lag.fmu"
    orrery.modelica(LAG).export_fmu(path, version=version)
    fmu = orrery.load(path)
    assert fmu.name == "Lag"
    run = fmu.run(k=2, stop=1, tolerance=1e-10)
    assert run.final["x"] == pytest.approx(np.exp(-2), rel=1e-8)


def test_settings_become_start_values(tmp_path):
    path = tmp_path / "Lag.fmu"
    orrery.modelica(LAG).export_fmu(path, {"k": "120 1/min"}, x=3)
    fmu = orrery.load(path)
    assert fmu.parameters["k"].value == 2
    assert fmu.run(stop=1, tolerance=1e-10).final["x"] == pytest.approx(
        3 * np.exp(-2), rel=1e-8)


def test_an_export_tells_what_cannot_be_set_any_more(tmp_path):
    model = orrery.modelica("""
    model Rods
      parameter Integer n = 3;
      parameter String name = "rod";
      parameter Real k = 1;
      Real T[n](each start=1, each fixed=true);
    equation
      der(T) = -k*T;
    end Rods;
    """)
    notes = model.export_fmu(tmp_path / "Rods.fmu")
    assert [its.message for its in notes] == [
        "in the FMU, these cannot be set any more, as they shape the "
        "equations or are Strings: n, name; --set gives them others when the "
        "FMU is written"]


def test_an_export_has_no_notes_if_all_can_be_set(tmp_path):
    assert orrery.modelica(LAG).export_fmu(tmp_path / "Lag.fmu") == []


def test_an_fmu_without_sleef_is_half_as_large(tmp_path):
    same, libm = tmp_path / "same.fmu", tmp_path / "libm.fmu"
    model = orrery.modelica(LAG)
    model.export_fmu(same)
    model.export_fmu(libm, elementary="libm")
    assert libm.stat().st_size < same.stat().st_size


@pytest.mark.parametrize("path, options, message", [
    ("Lag.zip", {}, "an FMU has a name that ends with .fmu"),
    ("Lag.fmu", {"version": 1}, "the versions are 2 and 3"),
    ("Lag.fmu", {"kind": "se"}, "the kinds of use are cs"),
    ("Lag.fmu", {"elementary": "fast"}, "there are same"),
])
def test_a_wrong_form_is_refused(tmp_path, path, options, message):
    with pytest.raises(orrery.ArgumentError, match=message):
        orrery.modelica(LAG).export_fmu(tmp_path / path, **options)


def test_a_method_of_fixed_steps_wants_its_step(tmp_path):
    with pytest.raises(orrery.ArgumentError, match="step"):
        orrery.modelica(LAG).export_fmu(tmp_path / "Lag.fmu", method="euler")
