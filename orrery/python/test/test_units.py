"""Values with units in experiments and analyses."""
import pytest

import orrery

UNITS = """
model Spring
  parameter Real k(unit="N/m") = 100;
  input Real u(unit="N");
  Real x(unit="m", start=0.1, fixed=true);
  Real v(unit="m/s", start=0, fixed=true);
equation
  der(x) = v;
  der(v) = u - k*x - v;
end Spring;
"""


def spring():
    return orrery.modelica(UNITS)


def test_values_of_sweeps_may_have_units():
    model = spring()
    for vary in (["0.1 kN/m", 200, "3e-1 kN/m"], "100:100:300"):
        assert model.sweep({"k": vary}, "x", stop=1)["k"].tolist() == [
            100, 200, 300]
    drawn = model.sweep({"k": ("0.1 kN/m", "200 N/m"), "x": ("1 cm", "2 cm")},
                        "max(x)", runs=50, stop=0.1)
    assert 100 <= drawn["k"].min() < drawn["k"].max() <= 200
    assert 0.01 <= drawn["x"].min() < drawn["x"].max() <= 0.02
    assert model.sweep({"x": ["5 cm", "1 mm"]}, "max(x)", stop=1)[
        "max(x)"].tolist() == [0.05, 0.001]


def test_bounds_of_searches_may_have_units():
    model = spring()
    data = model.run(k=150, stop=2).to_pandas()[["x"]].reset_index()
    fit = model.calibrate(data, {"k": ("0.1 kN/m", "10 N/m", "1 kN/m")},
                          sigma={"x": "1 mm"})
    assert fit.values["k"] == pytest.approx(150, rel=1e-4)
    assert fit.standard_errors["k"] == pytest.approx(
        model.calibrate(data, {"k": (100, 10, 1000)}, sigma=0.001
                        ).standard_errors["k"], rel=1e-9)
    best = model.optimize({"x": ("-1 mm", "20 mm")}, maximize="max(x)", stop=1)
    assert best.values["x"] == pytest.approx(0.02, rel=1e-6)


def test_conditions_of_steady_states_may_have_units():
    model = spring()
    assert model.steady({"x": "5 cm"})["u"] == pytest.approx(5)
    assert model.steady({"u": "0.2 kN"})["x"] == pytest.approx(2)
    point = model.steady(free={"u": "3 kN"}, bounds={"x": ("-1 cm", "1 cm")},
                         maximize="x")
    assert point["x"] == pytest.approx(0.01)


def test_units_of_another_kind_are_refused():
    model = spring()
    for act in (lambda: model.sweep({"k": ["5 kg"]}),
                lambda: model.steady({"x": "5 kg"}),
                lambda: model.optimize({"x": ("0 s", 1)}, minimize="x")):
        with pytest.raises(ValueError, match="cannot be converted to"):
            act()


def test_a_steady_state_says_which_inputs_it_has_found():
    model = spring()
    assert model.steady({"x": 0.5}).freed == ["u"]
    assert model.steady(settings={"u": 3}).freed == []
    assert model.steady({"u": 3}).freed == []
    assert model.steady({"x": 0.5}, settings={"u": 3}, free="u").freed == ["u"]
    point = model.steady({"x": 0.5})
    assert "inputs found: u = 50" in repr(point)
    assert "<td>input, found</td>" in point._repr_html_()
