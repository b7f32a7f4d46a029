"""What users read when they are wrong: the table of the design."""
import pathlib

import numpy as np
import pandas
import pytest

import models
import orrery


def test_a_missing_file_names_the_nearest(tmp_path):
    (tmp_path / "pump.mo").write_text(models.DECAY)
    with pytest.raises(OSError) as raised:
        orrery.load(tmp_path / "pmp.mo")
    assert isinstance(raised.value, orrery.FileError)
    assert "no such file" in str(raised.value)
    assert "pump.mo" in str(raised.value)


def test_a_file_of_no_known_kind_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(ValueError, match=r"\.mo \(Modelica\)"):
        orrery.load(tmp_path / "a.txt")


@pytest.mark.parametrize("file", ["pump.ssp", "pump.ssd"])
def test_a_system_of_fmus_is_left_to_the_command(file):
    with pytest.raises(NotImplementedError, match=f"orrery run {file}"):
        orrery.load(file)


def test_an_fmu_that_is_missing_is_no_name_of_a_class():
    with pytest.raises(orrery.FileError, match="no such file"):
        orrery.load("pump.fmu")


def test_a_file_that_is_no_fmu_is_refused(tmp_path):
    (tmp_path / "pump.fmu").write_text("no archive")
    with pytest.raises(orrery.ModelError, match="it is no ZIP archive"):
        orrery.load(tmp_path / "pump.fmu")


def test_errors_in_a_model_have_lines_and_carets():
    with pytest.raises(orrery.ModelError) as raised:
        orrery.modelica("model M\n  Real x = y;\n  Real z = q;\nend M;")
    text = str(raised.value)
    assert "no variable 'y'" in text and "no variable 'q'" in text
    assert "   2 |   Real x = y;\n      |            ^" in text
    assert [its.line for its in raised.value.diagnostics] == [2, 3]
    assert {its.severity for its in raised.value.diagnostics} == {"error"}


def test_notebooks_show_errors_in_colour():
    with pytest.raises(orrery.ModelError) as raised:
        orrery.modelica("model M\n  Real x = y;\nend M;")
    lines = raised.value._render_traceback_()
    assert lines[0] == "\033[1;31mModelError\033[0m"
    assert "\033[1;31m error: \033[0mno variable 'y'" in lines[1]
    assert lines[3].startswith("\033[32m") and "^" in lines[3]


def test_several_classes_are_named():
    with pytest.raises(ValueError) as raised:
        orrery.modelica("model Pump end Pump; model Tank end Tank;")
    assert "Pump, Tank" in str(raised.value)
    assert 'modelica(text, "Name")' in str(raised.value)


@pytest.mark.parametrize("settings, message", [
    ({"mod": 1}, "did you mean 'mode'"),
    ({"pi2": 6}, "constant"),
    ({"fixed_one": 2}, "final"),
    ({"n": 3}, "orrery.load(path, n=5)"),
    ({"y": 1}, "the model computes it"),
    ({"on": 2}, "Boolean"),
    ({"mode": "Slwo"}, "Slow, Fast"),
    ({"T": "5 kg"}, "cannot set 'T' to '5 kg'"),
    ({"T[1]": "5 kg"}, "in 'K', which 'kg' cannot be converted to"),
    ({"T": [1, 2, 3]}, "array [2]"),
    ({"m": [1, 2]}, "array [2, 2]"),
    ({"T": 3}, "T[1]"),
])
def test_settings_that_cannot_be_are_named(settings, message):
    with pytest.raises(ValueError) as raised:
        models.arrays().run(settings)
    assert message in str(raised.value)
    assert list(settings)[0] in str(raised.value)


@pytest.mark.parametrize("options, kind, message", [
    (dict(stop=-1), ValueError, "stop time, -1 s, is before the start"),
    (dict(tolerance="x"), TypeError, "'x' for 'tolerance'"),
    (dict(tolerance=0), ValueError, "tolerance"),
    (dict(stop="5 kg"), ValueError, "'5 kg' as a time"),
    (dict(stop=None, step=[1]), TypeError, "'step'"),
    (dict(method="dopri"), ValueError, "did you mean 'dopri5'"),
    (dict(method=5), TypeError, "'method'"),
    (dict(code="fast"), ValueError, "auto, interpreted, native"),
    (dict(record=["q*"]), ValueError, "q*"),
    (dict(record=[3]), TypeError, "'record'"),
    (dict(sliding="yes"), TypeError, "give True or False"),
    (dict(max_steps=0.5), TypeError, "whole number"),
    (dict(max_steps=10**30), ValueError, "below 2**63"),
    (dict(max_consecutive_events=2**31), ValueError, "below 2**31"),
    (dict(until="x >"), ValueError, "until"),
    (dict(tolerence=1e-3), TypeError, "did you mean 'tolerance'"),
    (dict(recrod="x"), TypeError, "did you mean 'record'"),
    (dict(k="fast"), ValueError, "'k'"),
    (dict(k=object()), TypeError, "'k'"),
])
def test_options_that_cannot_be_are_named(options, kind, message):
    with pytest.raises(kind) as raised:
        models.decay().run(**options)
    assert message in str(raised.value)


@pytest.mark.parametrize("inputs, message", [
    ({"u": [1]}, "without a column 'time'"),
    ({"time": [0, 1], "u": [1]}, "1 rows"),
    ({"time": [0, 1], "w": [1, 2]}, "w"),
    ({"time": [1, 0], "u": [1, 2]}, "time"),
    ({"time": [0, 1], "u": ["a", "b"]}, "column 'u'"),
    ({"time": [0, 1], 5: [1, 2]}, "'5'"),
    ("no_such.csv", "no_such.csv"),
])
def test_inputs_that_cannot_be_are_named(inputs, message):
    model = orrery.modelica("model M input Real u; Real x = u; end M;")
    with pytest.raises((ValueError, OSError)) as raised:
        model.run(inputs=inputs)
    assert message in str(raised.value)


def test_an_unknown_signal_names_the_nearest():
    with pytest.raises(KeyError) as raised:
        models.decay().run()["sme"]
    assert str(raised.value) == ("no signal 'sme' in the run of Decay; did "
                                 "you mean 'same'?")


def test_a_signal_that_was_not_recorded_names_the_pattern():
    with pytest.raises(KeyError, match=r"record=\['m\*'\] leaves it out"):
        models.decay().run(record="m*")["x"]


def test_a_protected_signal_says_so():
    with pytest.raises(KeyError, match="the model protects it"):
        models.arrays().run()["hidden"]


def test_arrays_of_results_cannot_be_written():
    r = models.decay().run()
    for name in ("x", "same", "minus", "k", "time"):
        with pytest.raises(ValueError, match="read-only"):
            r[name][0] = 1


@pytest.mark.parametrize("time", [11, -1, [0.5, 1.5]])
def test_times_beyond_the_run_say_from_when_to_when(time):
    with pytest.raises(ValueError, match="the run covers 0 to 1"):
        models.decay().run(stop=1).at(time, "x")


def test_a_run_that_fails_raises_with_its_results():
    model = orrery.modelica(models.FAILS)
    with pytest.raises(orrery.RunError) as raised:
        model.run(stop=2)
    assert "sqrt" in str(raised.value)
    r = raised.value.result
    assert r.time[-1] == pytest.approx(1, abs=1e-3)
    assert r["x"][-1] == pytest.approx(1, abs=1e-3)
    assert not r.summary.completed


def test_a_run_that_fails_is_returned_unless_checked():
    r = orrery.modelica(models.FAILS).run(stop=2, check=False)
    assert r.summary.outcome == "not finite"


def test_a_bug_of_a_progress_function_stops_the_run():
    class Broken(Exception):
        pass

    def progress(time):
        raise Broken

    with pytest.raises(Broken) as raised:
        orrery.modelica(models.LONG).run(stop=1e6, interval=1e6,
                                         progress=progress)
    assert 0 < raised.value.result.summary.end_time < 1e6


@pytest.mark.parametrize("module, call", [
    ("pandas", lambda r: r.to_pandas()),
    ("xarray", lambda r: r.to_xarray()),
    ("matplotlib", lambda r: r.plot("x"))])
def test_packages_that_are_missing_are_named(module, call, monkeypatch):
    import importlib
    real = importlib.import_module

    def without(name, package=None):
        if name.split(".")[0] == module:
            raise ImportError(name)
        return real(name, package)

    r = models.decay().run()
    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(ImportError) as raised:
        call(r)
    assert f"apt install python3-{module}" in str(raised.value)
    assert f"pip install {module}" in str(raised.value)


@pytest.mark.parametrize("told, wanted", [
    ("leave out --runs, or draw points by --design sobol",
     'leave out runs=..., or draw points by design="sobol"'),
    ("say which is which by --match SIGNAL=COLUMN",
     "say which is which by match=..."),
    ("--vary:1:5: error: there is the end", "vary:1:5: error: there is"),
    ("give the step (--step)", "give the step (step=...)"),
    ("take --solver rk4", "take method=... rk4"),
])
def test_messages_name_options_as_python_does(told, wanted):
    error = orrery.errors.error_of("invalid argument", told)
    assert str(error).startswith(wanted)


def test_values_are_no_settings_of_another_kind():
    with pytest.raises(TypeError, match="give a dict"):
        models.decay().run([1])


def test_a_path_of_pathlib_is_as_good_as_a_text(tmp_path):
    with pytest.raises(OSError, match="no such file"):
        orrery.load(pathlib.Path(tmp_path) / "no.mo")


def test_numbers_of_numpy_are_numbers():
    r = models.decay().run(k=np.float32(1), stop=np.int64(1))
    assert r.final["x"] == pytest.approx(np.exp(-1), rel=1e-5)


@pytest.mark.parametrize("act", [
    lambda: orrery.load(b"\x80.mo"),
    lambda: orrery.load("a\udc80.mo"),
    lambda: orrery.read(b"\xff.csv"),
    lambda: orrery.Store("a\udcff.db"),
    lambda: models.decay().run(inputs=b"\xfe.csv"),
    lambda: models.decay().run().save("\udc80.csv"),
])
def test_names_of_files_that_are_no_utf_8_are_refused(act):
    with pytest.raises(ValueError, match="its name is no UTF-8; rename it"):
        act()


@pytest.mark.parametrize("name", ["\udc80", "x\ud800", "über\udfff"])
def test_names_with_halves_of_characters_are_refused(name):
    model = models.decay()
    with pytest.raises(ValueError, match="halves of characters"):
        model.run({name: 1})
    with pytest.raises(TypeError, match="give the name of one"):
        model.run()[name]
    assert name not in model.run()
    assert "ü" not in model.run()


def test_files_may_be_named_by_bytes(tmp_path):
    path = bytes(tmp_path / "décay.mo")
    (tmp_path / "décay.mo").write_text(models.DECAY)
    r = orrery.load(path).run()
    r.save(bytes(tmp_path / "r.csv"))
    assert orrery.read(bytes(tmp_path / "r.csv")).final["x"] == r.final["x"]
    assert len(orrery.Store(bytes(tmp_path / "a.db"))) == 0


def test_a_port_that_is_not_there_is_named_with_the_nearest():
    class Plant(orrery.Block):
        torque, y = orrery.Input(), orrery.Output()

        def equations(self):
            yield self.y == 2*self.torque

    d = orrery.Diagram("D")
    plant = d.add(Plant(), "plant")
    gain = d.add(orrery.blocks.math.Gain(k=2), "gain")
    for act, message in (
            (lambda: d.connect(gain.y, plant.torqe),
             "D.plant has no port or quantity 'torqe'; did you mean 'torque'"),
            (lambda: d.connect(plant.y, gain.uu), "has no quantity 'uu'"),
            (lambda: d.plent, "D has no part or quantity 'plent'; did you "
             "mean 'plant'")):
        with pytest.raises(orrery.ModelError) as raised:
            act()
        assert message in str(raised.value)
        assert isinstance(raised.value, AttributeError)
    assert not hasattr(plant, "other") and not hasattr(plant, "__len__")


def test_an_assignment_for_an_equation_is_told_with_its_line():
    class Decay(orrery.Block):
        x = orrery.State(1.0)

        def equations(self):
            self.x = 3
            yield orrery.der(self.x) == 1

    with pytest.raises(TypeError, match=r"test_errors.py:\d+: cannot set "
                       r"Decay.x while .* yield self.x == \.\.\."):
        Decay().run()


class NoInit:
    """Derived first, it hides the __init__ of the other base."""

    def __init__(self):
        pass


@pytest.mark.parametrize("base", [
    orrery.Block, orrery.Diagram, orrery.Tasks, orrery.Simulation,
    orrery.devs.Atomic, orrery.devs.Coupled])
def test_models_need_no_call_of_the_init_of_their_base(base):
    class Decay(orrery.Block):
        x = orrery.State(1.0)

        def equations(self):
            yield orrery.der(self.x) == -self.x

    class Own(NoInit, base):
        made = orrery.Parameter(2.0) if base is orrery.Block else None

        def initial(self):
            return [0]

    model = Own()
    if base is orrery.Diagram:
        model.add(Decay(), "decay")
    elif base is orrery.Simulation:
        model.add(Decay().model(), "decay")
    elif base is orrery.devs.Coupled:
        model.add(orrery.devs.Generator(1, limit=2), "times")
    assert model.run(stop=3) is not None


def test_a_declaration_needs_the_init_of_its_base():
    class Level(NoInit, orrery.State):
        pass

    class Tank(orrery.Block):
        level = Level()

    with pytest.raises(TypeError, match=r"cannot declare 'level': Level."
                       r"__init__ does not call super\(\).__init__\(\)"):
        Tank()


def refused_data(data):
    """What is said about data that Decay is to be fitted to."""
    with pytest.raises(ValueError) as raised:
        models.decay().calibrate(data, {"k": (1, 0.1, 10)})
    return str(raised.value)


@pytest.mark.parametrize("make", [dict, pandas.DataFrame])
@pytest.mark.parametrize("data, message", [
    ({"time": [1, 2], "w": [1, 2]},
     "the data: no column is called as a signal; beside the times in 'time' "
     "there are 'w' (no quantity of Decay)"),
    ({"time": [0.1, 0.3, 0.2], "x": [3, 2, 1]},
     "the data: the time in row 3, 0.2, is before the one in row 2, 0.3"),
    ({"time": [0.1, np.nan], "x": [2, 1]},
     "the data: the time in row 2 is nan"),
    ({"time": [0.1, 0.2], "x": [2, np.inf]},
     "the data: 'x' is infinite in row 2, at the time 0.2"),
    ({"time": [0.1, 0.2], "x": [np.nan, np.nan]},
     "the data: no row of it has a value of 'x'"),
    ({"time": [0.1, 0.2], "x": [2, "b"]},
     "column 'x' has 'b' in row 2, which is no number"),
])
def test_data_that_cannot_be_fitted_are_named(make, data, message):
    assert message in refused_data(make(data))


def test_data_without_times_or_of_unequal_columns_are_named():
    assert "data from a dict without a column 'time'" in refused_data(
        {"x": [1, 2]})
    assert "column 'x' has 1 rows, and 'time' has 2" in refused_data(
        {"time": [0.1, 0.2], "x": [2]})


@pytest.mark.parametrize("text, message", [
    ("time,x\n0.1,2\n0.2,b\n",
     "data.csv:3:5: error: 'b' in column 'x' is not a number"),
    ("time,x\n0.1,3\n0.3,2\n0.2,1\n",
     "data.csv: the time in row 3, 0.2, is before the one in row 2, 0.3"),
    ("time,w\n0.1,3\n0.3,2\n", "data.csv: no column is called as a signal"),
])
def test_files_of_data_that_cannot_be_fitted_are_named(text, message,
                                                       tmp_path):
    (tmp_path / "data.csv").write_text(text)
    assert message in refused_data(tmp_path / "data.csv")


def test_gaps_in_data_are_left_out_with_a_warning():
    times = np.array([0.1, 0.2, 0.3, 0.4])
    values = np.exp(-3 * times)
    values[[1, 2]] = np.nan
    fit = models.decay().calibrate({"time": times, "x": values},
                                   {"k": (1, 0.1, 10)}, tolerance=1e-10)
    assert fit.values["k"] == pytest.approx(3, rel=1e-6)
    assert fit.warnings == [
        "the data: column 'x' has no value in 2 of 4 rows, the first of them "
        "row 2; they are left out"]
