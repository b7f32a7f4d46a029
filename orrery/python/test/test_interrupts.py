"""Ctrl-C, and signs of life."""
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import models
import orrery


def press_ctrl_c(after):
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.parametrize("method", ["auto", "dopri5", "rk4", "cvode-bdf"])
def test_ctrl_c_ends_a_run_within_a_fifth_of_a_second(method):
    model = orrery.modelica(models.LONG)
    model.run(stop=1)
    options = {"step": 1e-4} if method == "rk4" else {}
    press_ctrl_c(0.3)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as raised:
        model.run(stop=1e5, interval=1e3, method=method, **options)
    assert time.monotonic() - begin < 0.3 + 0.2 + 0.3  # A busy machine.
    r = raised.value.result
    assert isinstance(raised.value, orrery.Interrupted)
    assert 0 < r.summary.end_time < 1e5
    assert r.summary.outcome == "interrupted"
    assert "interrupted" in str(raised.value)


def test_ctrl_c_ends_a_long_step():
    model = orrery.modelica(models.LONG)
    press_ctrl_c(0.3)
    with model.start(stop=1e6, interval=100) as run:
        with pytest.raises(orrery.Interrupted) as raised:
            run.step(1e6)
    assert 0 < raised.value.result.time[-1] < 1e6


def test_a_handler_of_the_user_is_called_in_a_run():
    called = []
    old = signal.signal(signal.SIGALRM, lambda *_: called.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        begin = time.monotonic()
        while time.monotonic() - begin < 0.4:
            orrery.modelica(models.LONG).run(stop=200, interval=100)
    finally:
        signal.signal(signal.SIGALRM, old)
    assert called == [1]


def test_a_process_says_keyboard_interrupt():
    script = (f"import orrery; m = orrery.modelica('''{models.LONG}'''); "
              "print('go', flush=True); m.run(stop=1e6, interval=1e4)")
    process = subprocess.Popen([sys.executable, "-c", script], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == "go\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode != 0
    assert "orrery.errors.Interrupted" in told


def test_progress_is_told_at_most_20_times_a_second():
    times = []
    begin = time.monotonic()
    orrery.modelica(models.LONG).run(stop=2000, interval=100, method="rk4",
                                     step=0.002, progress=times.append)
    passed = time.monotonic() - begin
    assert times == sorted(times) and len(times) <= 20 * passed + 1
    assert passed < 0.2 or len(times) > 0


def test_progress_without_tqdm_is_a_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    orrery.modelica(models.LONG).run(stop=2000, interval=100, method="rk4",
                                     step=0.002, progress=True)
    assert "%" in capsys.readouterr().err


def test_progress_by_tqdm_is_a_bar(capsys):
    orrery.modelica(models.LONG).run(stop=2000, interval=100, method="rk4",
                                     step=0.002, progress=True)
    assert "%|" in capsys.readouterr().err


def test_a_process_ends_although_a_thread_is_in_a_run():
    script = ("import threading, time, orrery, models\n"
              "model = orrery.modelica(models.LONG)\n"
              "run = lambda: model.run(stop=1e9, interval=1e6)\n"
              "threading.Thread(target=run, daemon=True).start()\n"
              "time.sleep(0.3)\n")
    done = subprocess.run([sys.executable, "-c", script], check=False,
                          cwd=os.path.dirname(models.__file__), timeout=30,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
