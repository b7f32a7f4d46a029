"""Experiments in a store, which the command shows, too."""
import json
import os
import subprocess

import numpy as np
import pytest

import models
import orrery


@pytest.fixture
def store(tmp_path):
    return orrery.Store(tmp_path / "orrery.db")


def command(store, *words):
    """What the command says about the store, as JSON."""
    if "ORRERY_COMMAND" not in os.environ:
        pytest.skip("needs the command")
    told = subprocess.run(
        [os.environ["ORRERY_COMMAND"], *words, "--store", store.path,
         "--json"], check=True, capture_output=True)
    return json.loads(told.stdout)


def test_nothing_is_saved_unless_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    models.decay().run()
    models.decay().sweep({"k": [1, 2]})
    assert list(tmp_path.iterdir()) == []


def test_true_saves_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    models.decay().run(save=True)
    assert orrery.Store()[1].type == "simulate"


def test_a_run_is_saved_with_its_rows(store):
    r = models.ball().run({"e": 0.7}, stop=1, tolerance=1e-8, save=store)
    saved = store[1]
    assert (saved.model, saved.status) == ("Ball", "completed")
    assert saved.document["set"] == {"e": "0.7"}
    assert saved.document["stop"] == 1
    assert (saved.result()["h"] == r["h"]).all()
    assert (saved.result().events.time == r.events.time).all()
    assert saved.report["final"]["h"] == r.final["h"]


def test_a_run_that_fails_is_saved_as_such(store):
    with pytest.raises(orrery.RunError):
        orrery.modelica(models.FAILS).run(stop=2, save=store)
    assert store[1].status == "failed" and "sqrt" in store[1].message


def test_a_saved_run_is_repeated_by_the_command(store, tmp_path):
    r = orrery.modelica("model M input Real u; Real x(start=0, fixed=true); "
                        "equation der(x) = u - x; end M;").run(
        inputs={"time": [0, 1], "u [1]": [1 / 3, 2 / 3]}, save=store)
    told = command(store, "rerun", "1")
    assert told["final"]["x"] == r.final["x"]


def test_a_sweep_is_saved_as_a_table(store):
    s = models.decay().sweep({"k": [1, 2, 3]}, "final(x)", save=store)
    saved = store[1]
    assert (saved.runs["final(x)"] == s["final(x)"]).all()
    assert saved.document["sweep"]["keep"] == ["final(x)"]
    assert command(store, "show", "1")["model"] == "Decay"


def test_other_experiments_are_saved_with_their_reports(store):
    model = models.decay()
    times = np.linspace(0, 1, 8)
    fit = model.calibrate({"time": times, "x": np.exp(-3 * times) + 0.01
                           * np.cos(30 * times)}, {"k": (1, 0.1, 9)},
                          save=store)
    best = model.optimize({"k": (0.1, 9)}, minimize="(final(x) - 0.1)^2",
                          save=store)
    point = model.steady(save=store)
    system = point.linearize()
    store.save(system)
    assert [its.type for its in store] == [
        "linearization", "steady-state", "optimization", "calibration"]
    assert store[1].report == fit.document
    assert store[2].report == best.document
    assert store[3].report == point.document
    assert store[4].report == system.document
    assert (store[1].result()["x"] == fit.runs[0]["x"]).all()


def test_tags_and_notes_are_kept(store):
    saved = store.save(models.decay().run(), notes="a first run",
                       tags=["first", "decay"])
    saved.untag("decay")
    assert store[1].notes == "a first run" and store[1].tags == ["first"]
    assert "first run" in command(store, "show", "1")["notes"]


def test_experiments_are_listed_the_newest_first(store):
    for k in (1, 2):
        models.decay().run(k=k, save=store)
    assert [its.id for its in store] == [2, 1] and len(store) == 2
    assert list(store.to_pandas()["model"]) == ["Decay", "Decay"]
    assert "<td>simulate</td>" in store._repr_html_()
    store.delete(2)
    assert len(store) == 1


def test_results_without_an_origin_are_refused(store, tmp_path):
    models.decay().run().save(tmp_path / "run.csv")
    with pytest.raises(ValueError, match="how it came about"):
        store.save(orrery.read(tmp_path / "run.csv"))


def test_an_experiment_that_is_not_there_is_named(store):
    with pytest.raises(ValueError, match="7"):
        store[7]


def test_a_file_that_is_no_store_is_refused(tmp_path):
    (tmp_path / "a.db").write_text("no store" * 200)
    with pytest.raises(OSError, match="a.db"):
        orrery.Store(tmp_path / "a.db")
