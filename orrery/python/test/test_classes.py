"""Models that are classes in plug-ins: DEVS, tasks, both."""
import json
import os
import pathlib
import pickle
import signal
import subprocess
import threading
import time

import pytest

import orrery

FOLDER = pathlib.Path(os.environ.get("ORRERY_PLUGINS", "/nowhere"))
pytestmark = pytest.mark.skipif(not (FOLDER / "libbank.so").exists(),
                                reason="needs the examples' plug-ins")


def load(name):
    return orrery.load(FOLDER / f"lib{name}.so")


def command(*words):
    told = subprocess.run([os.environ["ORRERY_COMMAND"], "run", *words,
                           "--no-save", "--json"], check=True,
                          capture_output=True)
    return json.loads(told.stdout)


@pytest.mark.parametrize("name, kind", [
    ("bank", "devs"), ("gpt", "devs"), ("rover", "tasks"),
    ("tank_station", "joint")])
def test_a_plug_in_is_loaded_like_a_file(name, kind):
    assert load(name).kind == kind


@pytest.mark.parametrize("name", ["bank", "gpt", "coffee_stand", "rover",
                                  "observatory", "tank_station"])
@pytest.mark.parametrize("seed", [1, 7])
def test_results_are_those_of_the_command(name, seed):
    r = load(name).run(stop="2 h", seed=seed)
    told = command(str(FOLDER / f"lib{name}.so"), "--stop", "2h", "--seed",
                   str(seed))
    final = told["final"]
    assert r.summary.end_time == told["time"]
    assert final
    for its, value in final.items():
        mine = r.values[its] if its in r.values else r.final[its]
        assert mine == value


def test_parameters_have_their_meaning():
    its = load("bank").parameters
    assert its["tellers"].value == 4 and its["one_line"].value is True
    assert its["service"].description == "Mean time of service"


def test_settings_are_numbers_times_and_booleans():
    settings = {"tellers": 5, "one_line": False, "service": "90 s"}
    r = load("bank").run(settings, stop="1 d")
    told = command(str(FOLDER / "libbank.so"), "--stop", "1d", "--set",
                   "tellers=5", "--set", "one_line=false", "--set",
                   "service=90s")
    assert r.values == told["final"]


def test_outputs_over_time_are_signals():
    r = load("gpt").run()
    assert r["solved.id"].tolist()[-1] == 4
    assert r.time[-1] == r.summary.end_time


def test_equations_and_tasks_are_one_result():
    r = load("tank_station").run(stop="2 h")
    assert r["level"].max() == pytest.approx(3, abs=0.01)
    assert r.unit("level") == "m" and "pump" in r.names


@pytest.mark.parametrize("options, kind, message", [
    (dict(stopp=1), TypeError, "did you mean 'stop'"),
    (dict(tolerance=1), TypeError, "one of Model.run()"),
    (dict(formalism="old"), ValueError, "'parallel' and 'classic'"),
    (dict(no=1), ValueError, "known: tellers"),
    (dict(seed=-1), ValueError, "0 or more"),
    (dict(tellers=0), ValueError, "'tellers'"),
    (dict(inputs={"time": [0], "u": [1]}), ValueError, "no input 'u'"),
    (dict(until="waits >"), ValueError, "until"),
])
def test_what_cannot_be_is_named(options, kind, message):
    with pytest.raises(kind) as raised:
        load("bank").run(**options)
    assert message in str(raised.value)


def test_a_plug_in_takes_no_class():
    with pytest.raises(ValueError, match="one model"):
        orrery.load(FOLDER / "libbank.so", "Bank")


def test_a_library_that_is_no_plug_in_says_so():
    with pytest.raises(orrery.ModelError, match="liborrery.so"):
        orrery.load(FOLDER / "liborrery.so")


def test_models_of_plug_ins_go_through_pickle():
    back = pickle.loads(pickle.dumps(load("bank")))
    assert back.run(stop=3600).values == load("bank").run(stop=3600).values


@pytest.mark.parametrize("name", ["bank", "tank_station"])
def test_ctrl_c_ends_a_run_with_what_there_is(name):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(orrery.Interrupted) as raised:
        load(name).run(stop="10000 d")
    assert time.monotonic() - begin < 0.3 + 0.2 + 0.3  # A busy machine.
    r = raised.value.result
    assert 0 < r.summary.end_time < 10000 * 86400
    assert r.summary.outcome == "interrupted" and len(r.time) > 0
    assert r.summary.stop == 10000 * 86400


@pytest.mark.parametrize("name, seed", [("bank", 3), ("rover", 1),
                                        ("tank_station", 2)])
def test_a_run_is_saved_as_the_command_saves_it(name, seed, tmp_path):
    store = orrery.Store(tmp_path / "a.db")
    path = FOLDER / f"lib{name}.so"
    r = orrery.load(path).run(stop="2 h", seed=seed, save=store)
    subprocess.run([os.environ["ORRERY_COMMAND"], "run", str(path), "--stop",
                    "2h", "--seed", str(seed), "--quiet", "--store",
                    store.path], check=True)
    mine, theirs = store[1], store[2]
    assert mine.type == theirs.type == "simulate"
    assert mine.document == theirs.document

    def without_times(report):
        return {key: its for key, its in report.items()
                if not key.endswith("_ms")}
    assert without_times(mine.report) == without_times(theirs.report)
    records = [store._handle.read(its.id) for its in (mine, theirs)]
    assert len({its["source_hash"] for its in records}) == 1
    assert len(records[0]["source_hash"]) == 16
    rows = [its.result() for its in (mine, theirs)]
    assert (rows[0].time == rows[1].time).all()
    assert rows[0].names == rows[1].names == r.names


def test_a_bar_ends_at_the_stop_of_the_model(monkeypatch):
    bounds = []

    def start(progress, begin, end, unit):
        bounds.append((begin, end))
        return orrery.progress._Caller(lambda now: None)
    monkeypatch.setattr(orrery.progress, "start", start)
    model = load("rover")
    model.run(progress=True)  # It has no stop: the bar has no end.
    model.run(stop="30 min", progress=True)
    assert bounds == [(0, 0), (0, 1800)]


@pytest.mark.parametrize("time_s", [123.4, 1000.7, 3333.3, 80000.1])
def test_values_between_rows_of_equations_are_as_accurate_as_the_run(time_s):
    station = load("tank_station")
    r = station.run()
    there = station.run(stop=time_s).final["level"]
    assert time_s not in r.time
    assert r.at(time_s, "level") == pytest.approx(there, rel=1e-6)
