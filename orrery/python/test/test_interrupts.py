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


def ended_within_a_second(work, after=0.3):
    """The KeyboardInterrupt that Ctrl-C makes of `work`, and soon."""
    timer = press_ctrl_c(after)
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt) as raised:
            work()
    finally:
        timer.cancel()  # Else it would end the tests.
    assert time.monotonic() - begin < after + 1.0
    return raised.value


@pytest.mark.parametrize("method", ["auto", "dopri5", "rk4", "cvode-bdf"])
def test_ctrl_c_ends_a_run_and_keeps_its_rows(method):
    model = orrery.modelica(models.LONG)
    model.run(stop=1)
    options = {"step": 1e-4} if method == "rk4" else {}
    error = ended_within_a_second(
        lambda: model.run(stop=1e9, interval=1e3, method=method, **options))
    summary = error.result.summary
    assert isinstance(error, orrery.Interrupted)
    assert 0 < summary.end_time < 1e9
    assert summary.outcome == "interrupted"
    assert "interrupted" in str(error)


def test_ctrl_c_ends_a_long_step():
    model = orrery.modelica(models.LONG)
    with model.start(stop=1e9, interval=1e4) as run:
        error = ended_within_a_second(lambda: run.step(1e9))
    assert isinstance(error, orrery.Interrupted)
    assert 0 < error.result.time[-1] < 1e9


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
              "print('go', flush=True); m.run(stop=1e9, interval=1e4)")
    process = subprocess.Popen([sys.executable, "-c", script], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == "go\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode != 0
    assert "orrery.errors.Interrupted" in told


def test_progress_is_told_20_times_a_second_and_at_the_end():
    times = []
    begin = time.monotonic()
    orrery.modelica(models.LONG).run(stop=2000, interval=100, method="rk4",
                                     step=0.002, progress=times.append)
    passed = time.monotonic() - begin
    assert times == sorted(times) and len(times) <= 20 * passed + 1
    assert times[-1] == 2000


def test_progress_of_a_short_run_is_told_at_the_end():
    times = []
    orrery.modelica(models.LONG).run(stop=0.01, progress=times.append)
    assert times == [0.01]


def test_progress_without_tqdm_is_a_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    orrery.modelica(models.LONG).run(stop=1, progress=True)
    assert "100%" in capsys.readouterr().err


def test_progress_by_tqdm_is_a_bar(capsys):
    orrery.modelica(models.LONG).run(stop=1, progress=True)
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


# No x has these squares: the search for start values takes long.
UNSOLVED = """
model Unsolved
  constant Integer n = 500;
  parameter Real k = 1;
  Real x[n](each start=1);
equation
  for i in 1:n loop
    k*x[i]^2 + sum(x[j]*x[i]/(i + j) for j in 1:n) = -1;
  end for;
end Unsolved;
"""


# Its translation takes seconds.
LARGE = UNSOLVED.replace("n = 500", "n = 1500")


@pytest.mark.parametrize("after", [0.05, 0.3, 0.7, 1.2])
def test_ctrl_c_ends_the_translation_of_a_model(after):
    error = ended_within_a_second(lambda: orrery.modelica(LARGE), after)
    assert isinstance(error, orrery.Interrupted) and error.result is None
    assert str(error) == "interrupted"


@pytest.mark.parametrize("work", [
    lambda model: model.steady(),
    lambda model: model.linearize(),
    lambda model: model.sweep({"k": [1, 2]}, "x[1]"),
    lambda model: model.calibrate({"time": [1, 2], "x[1]": [1, 2]},
                                  {"k": (0, 1)}),
    lambda model: model.optimize({"k": (0, 1)}, minimize="x[1]")])
def test_ctrl_c_ends_the_translation_in_an_experiment(work):
    model = orrery.modelica(UNSOLVED)
    error = ended_within_a_second(lambda: work(model), 0.2)
    assert isinstance(error, orrery.Interrupted)


# No x makes these derivatives zero, and each has all unknowns in it.
RESTLESS = """
model Restless
  constant Integer n = 100;
  Real x[n](start = {sin(i) for i in 1:n}, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = 1 + (x[i] + sum(x[j]*sin(i*j) for j in 1:n))^2;
  end for;
end Restless;
"""


@pytest.mark.parametrize("later", [0.1, 0.5, 1.0])
def test_ctrl_c_ends_the_search_for_a_steady_state(later):
    model = orrery.modelica(RESTLESS)
    begin = time.monotonic()
    model.linearize()
    translated = time.monotonic() - begin  # The search does it again.
    error = ended_within_a_second(model.steady, 2 * translated + later)
    assert isinstance(error, orrery.Interrupted)


def test_ctrl_c_leaves_a_model_that_can_be_used():
    model = orrery.modelica(LARGE.replace("n = 1500", "n = 60").replace(
        "= -1;", "= i;"))
    for after in (0.001, 0.002, 0.005, 0.01, 0.02):
        timer = press_ctrl_c(after)
        try:
            model.run(k=2, stop=0)
            time.sleep(1)
        except KeyboardInterrupt:
            pass
        finally:
            timer.cancel()
    assert model.run(k=2, stop=0).summary.completed


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_searches_for_start_values_in_a_sweep(jobs):
    pressed = []

    def press_once(_):  # The model is translated before progress is told.
        if not pressed:
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    model = orrery.modelica(UNSOLVED)
    with pytest.raises(orrery.Interrupted) as raised:
        model.sweep({"k": [1, 2, 3, 4]}, "x[1]", jobs=jobs,
                    progress=press_once)
    assert time.monotonic() - pressed[0] < 1.0
    assert "completed" not in raised.value.result.status


def test_ctrl_c_ends_the_begin_of_a_stepped_run():
    model = orrery.modelica(UNSOLVED)
    ended_within_a_second(lambda: model.start(stop=1))


def test_a_sweep_keeps_the_runs_that_are_done():
    model = orrery.modelica(models.LONG)
    error = ended_within_a_second(lambda: model.sweep(
        {"x": list(range(1, 100_000))}, "y", stop=1, jobs=2))
    done = error.result
    assert 0 < (done.status == "completed").sum() < 99_999
    assert isinstance(error, orrery.Interrupted)


def test_ctrl_c_ends_a_calibration_and_an_optimisation():
    model = orrery.modelica(models.LONG)
    data = {"time": [1, 200], "x": [1, 2]}
    ended_within_a_second(lambda: model.calibrate(
        data, {"y": (-1, 1)}, starts=1000))
    error = ended_within_a_second(lambda: model.optimize(
        {"y": (-1, 1)}, minimize="max(x)", stop=200, starts=1000))
    assert error.result.history.runs > 0


class Clock(orrery.devs.Atomic):
    def initial(self):
        return [0]

    def time_advance(self, s):
        return 0.001

    def internal(self, s):
        s[0] += 1


class LibraryOnly(orrery.devs.Coupled):
    def __init__(self):
        times = self.add(orrery.devs.Generator(0.001), "times")
        server = self.add(orrery.devs.Server(0.0005), "server")
        self.couple(times.out, server.in_)


@pytest.mark.parametrize("make", [Clock, LibraryOnly])
@pytest.mark.parametrize("formalism", ["parallel", "classic"])
def test_ctrl_c_ends_a_devs_run_and_keeps_its_states(make, formalism):
    error = ended_within_a_second(
        lambda: make().run(stop=1e9, formalism=formalism))
    assert 0 < error.result.end < 1e9
    assert error.result.statistics["microsteps"] > 0


class Ticks(orrery.Tasks):
    ticks = orrery.Monitor()

    def start(self):
        while True:
            yield 0.001
            self.ticks.add(self.now)


def test_ctrl_c_ends_a_run_of_tasks_and_keeps_its_statistics():
    model = Ticks()
    error = ended_within_a_second(lambda: model.run(stop=1e9))
    assert 0 < error.result.end < 1e9
    assert model.ticks.count > 0


def test_ctrl_c_ends_a_run_of_all_engines():
    simulation = orrery.Simulation()
    simulation.add(orrery.modelica(models.LONG), "long")
    simulation.add(Ticks(), "ticks")
    simulation.add(Clock(), "clock")
    error = ended_within_a_second(
        lambda: simulation.run(stop=1e9, interval=1e6, spans=False))
    assert 0 < error.result.end < 1e9


class Slow(orrery.Block):
    """Takes 0.4 s for each evaluation, whatever one presses."""

    ends = []
    fails = orrery.Parameter(0.0)
    x = orrery.State(0.0)

    def equations(self):
        def wait(fails):
            end = time.monotonic() + 0.4
            while time.monotonic() < end:
                time.sleep(0.01)
            self.ends.append(end)
            if fails:
                raise ValueError("too slow")
            return 1.0
        yield orrery.der(self.x) == orrery.opaque(wait)(self.fails)


def test_signals_are_handled_until_the_work_has_ended():
    called = []
    old = signal.signal(signal.SIGUSR1,
                        lambda *_: called.append(time.monotonic()))
    model = Slow().model()
    press_ctrl_c(0.2)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1))
    timer.start()
    try:
        with pytest.raises(orrery.Interrupted) as raised:
            model.sweep({"x": [0, 1]}, "x", stop=10, method="euler", step=1,
                        jobs=1)
    finally:
        signal.signal(signal.SIGUSR1, old)
    assert len(called) == 1 and called[0] < Slow.ends[-1]
    assert raised.value.result.runs == 2


def test_ctrl_c_comes_before_an_error_of_the_work():
    model = Slow().model()
    press_ctrl_c(0.2)
    with pytest.raises(KeyboardInterrupt):
        model.calibrate({"time": [1, 2], "x": [1, 2]}, {"x": (0, 1)},
                        settings={"fails": 1}, method="euler", step=1)
