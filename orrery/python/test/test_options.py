"""Options of runs and of experiments that are misspelt or out of range."""
import numpy as np
import pytest

import models

TIMES = np.linspace(0, 1, 5)
DATA = {"time": TIMES, "x": np.exp(-TIMES)}


@pytest.mark.parametrize("call, wanted", [
    (lambda m: m.run(stop_time=3), "stop"),
    (lambda m: m.run(t_end=3), "stop"),
    (lambda m: m.start(tol=1e-3), "tolerance"),
    (lambda m: m.sweep({"k": [1, 2]}, job=3), "jobs"),
    (lambda m: m.monte_carlo({"k": (1, 2)}, n=3), "runs"),
    (lambda m: m.calibrate(DATA, {"k": (1, 2)}, tol=1e-3), "tolerance"),
    (lambda m: m.optimize({"k": (1, 2)}, minimise="x"), "minimize"),
    (lambda m: m.sensitivity({"k": (1, 2)}, sample=3), "samples"),
    (lambda m: m.linearize(outptus="x"), "outputs"),
])
def test_a_misspelt_option_names_the_one_of_its_function(call, wanted):
    with pytest.raises(TypeError) as raised:
        call(models.decay())
    assert f"did you mean '{wanted}'?" in str(raised.value)


def test_a_setting_among_the_options_of_an_experiment_says_where_it_goes():
    with pytest.raises(TypeError, match='settings={"name": value}'):
        models.decay().sweep({"x": [1, 2]}, k=3)


@pytest.mark.parametrize("value, kind", [
    (0, ValueError), (-2, ValueError), (3.7, TypeError), ("3", TypeError)])
def test_numbers_of_runs_and_threads_are_whole_and_positive(value, kind):
    model = models.decay()
    for call in (
            lambda: model.monte_carlo({"k": (1, 2)}, runs=value),
            lambda: model.sweep({"k": [1, 2]}, jobs=value),
            lambda: model.sensitivity({"k": (1, 2)}, samples=value),
            lambda: model.calibrate(DATA, {"k": (1, 2)}, starts=value),
            lambda: model.optimize({"k": (1, 2)}, minimize="x",
                                   starts=value)):
        with pytest.raises(kind, match="cannot take"):
            call()


@pytest.mark.parametrize("keep", [[], {}, "", ()])
def test_an_experiment_keeps_something(keep):
    with pytest.raises(ValueError, match="leave keep out"):
        models.decay().sweep({"k": [1, 2]}, keep)
