"""Models and results in other processes."""
import concurrent.futures
import multiprocessing

import numpy as np
import pytest

import models
import orrery


def final_of(model, k):
    """Runs in another process."""
    return model.run({"k": k}, stop=1, tolerance=1e-9, code="native")


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_pool_of_processes_runs_a_model(method):
    model = models.decay()
    model.run(code="native")  # Its compiler's thread is not there after fork.
    with concurrent.futures.ProcessPoolExecutor(
            2, multiprocessing.get_context(method)) as pool:
        results = list(pool.map(final_of, [model] * 3, [1, 2, 3]))
    for k, r in zip([1, 2, 3], results):
        assert r.final["x"] == pytest.approx(np.exp(-k), rel=1e-7)
        assert r.final["k"] == k and r.summary.completed


def test_joblib_runs_a_model():
    joblib = pytest.importorskip("joblib")
    model = models.decay()
    results = joblib.Parallel(n_jobs=2)(
        joblib.delayed(final_of)(model, k) for k in (1, 2))
    for k, r in zip((1, 2), results):
        assert r.final["x"] == pytest.approx(np.exp(-k), rel=1e-7)


def raise_of(text):
    """Raises what a wrong model raises."""
    orrery.modelica(text)


def test_errors_come_back_from_other_processes():
    with concurrent.futures.ProcessPoolExecutor(
            1, multiprocessing.get_context("fork")) as pool:
        with pytest.raises(orrery.ModelError) as raised:
            pool.submit(raise_of, "model M Real x = y; end M;").result()
    assert raised.value.diagnostics[0].line == 1


def fail():
    """Raises with the rows of a run."""
    orrery.modelica(models.FAILS).run(stop=2)


def test_a_failed_run_comes_back_with_its_rows():
    with concurrent.futures.ProcessPoolExecutor(
            1, multiprocessing.get_context("fork")) as pool:
        with pytest.raises(orrery.RunError) as raised:
            pool.submit(fail).result()
    assert raised.value.result["x"][-1] == pytest.approx(1, abs=1e-3)
