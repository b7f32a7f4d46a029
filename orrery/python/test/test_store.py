"""Experiments in a store, which the command shows, too."""
import json
import os
import subprocess
import threading

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


def hash_in(store, number):
    return store._handle.read(number)["source_hash"]


def test_a_saved_experiment_knows_its_model_as_the_command_does(
        store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decay.mo").write_text(models.DECAY)
    command(store, "run", "decay.mo")
    model = orrery.load("decay.mo")
    data = {"time": [0, 1], "k": [1, 2]}
    model.run(save=store)
    model.sweep(points={"k": [1, 2]}, save=store)
    model.run(output_times=data["time"], save=store)
    hashes = [hash_in(store, its.id) for its in store]
    assert len(hashes) == 4 and len(set(hashes)) == 1
    assert len(hashes[0]) == 16
    (tmp_path / "decay.mo").write_text(models.DECAY + "\n// Another.\n")
    orrery.load("decay.mo").run(save=store)
    assert hash_in(store, 5) not in hashes


def test_a_model_made_in_python_has_no_text_to_be_known_by(store):
    class Decay(orrery.Block):
        x = orrery.State(1.0)

        def equations(self):
            yield orrery.der(self.x) == -self.x

    Decay().run(save=store)
    assert hash_in(store, 1) == ""


@pytest.mark.parametrize("failures", [
    [(0, "one"), (0, "two")], [(99, "there is no such run")]])
def test_what_cannot_be_saved_whole_is_not_saved(store, failures):
    s = models.decay().sweep({"k": [1, 2]}, save=store)
    ended = s._to_save()
    ended.set_runs(s._table, failures)
    with pytest.raises(orrery.Error):
        store._handle.save(ended)
    assert len(store) == 1 and store[1].status == "completed"


def test_a_result_that_cannot_be_saved_is_in_the_error(tmp_path):
    nowhere = tmp_path / "no folder" / "a.db"
    with pytest.raises(OSError) as raised:
        models.decay().run(stop=1, save=nowhere)
    assert raised.value.result.final["x"] == pytest.approx(np.exp(-2),
                                                           rel=1e-5)
    with pytest.raises(OSError) as raised:
        models.decay().sweep({"k": [1, 2, 3]}, "x", save=nowhere)
    assert raised.value.result.runs == 3


def test_what_ended_a_run_is_raised_also_if_it_cannot_be_saved(tmp_path):
    nowhere = tmp_path / "no folder" / "a.db"
    with pytest.raises(orrery.RunError, match="sqrt") as raised:
        orrery.modelica(models.FAILS).run(stop=2, save=nowhere)
    assert isinstance(raised.value.__context__, OSError)
    assert 0.9 < raised.value.result.time[-1] <= 1

    def stop(time):
        if time > 1e3:
            raise KeyboardInterrupt
    with pytest.raises(orrery.Interrupted) as raised:
        orrery.modelica(models.LONG).run(stop=1e6, interval=1e3, save=nowhere,
                                         progress=stop)
    assert isinstance(raised.value.__context__, OSError)
    assert raised.value.result.time[-1] > 0


def test_points_of_a_search_that_fail_are_saved_with_their_reasons(store):
    best = orrery.modelica(
        "model M parameter Real k = 1; Real x = sqrt(k - 1) - k; end M;"
    ).optimize({"k": (3, -5, 5)}, minimize="final(x)", starts=4, save=store)
    failures = dict(store._handle.failures(1))
    assert failures == best.failures and "sqrt" in list(failures.values())[0]


def test_threads_may_share_a_store(store):
    model = models.decay()

    def save_some():
        for k in range(1, 6):
            model.run({"k": k}, stop=0.1, save=store)
    threads = [threading.Thread(target=save_some) for _ in range(4)]
    for its in threads:
        its.start()
    for its in threads:
        its.join()
    assert len(store) == 20 and {its.status for its in store} == {"completed"}
