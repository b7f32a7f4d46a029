"""Wrong uses of tasks: what is raised, and what it says."""
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import traceback
import warnings

import pytest

import orrery
from orrery import Monitor, Resource, Tasks, any_of


class Stage(Tasks):
    """A model with one task, given as a function of the model."""

    seen = Monitor()
    room = Resource(2)

    def __init__(self, task):
        self.task = task

    def start(self):
        self.spawn(self.task(self))


def failure_of(task):
    with pytest.raises(orrery.RunError) as caught:
        Stage(task).run()
    return caught.value


@pytest.mark.parametrize("wrong, words", [
    (None, "cannot wait for None"),
    ("2 min", "cannot wait for '2 min'"),
    ([1], "cannot wait for [1]"),
    (True, "cannot wait for True")])
def test_what_cannot_be_waited_for_is_named_with_the_line(wrong, words):
    def waits(stage):
        yield 1.5
        yield wrong  # Here.

    error = failure_of(waits)
    assert isinstance(error.__cause__, TypeError)
    for expected in ("Stage: ", "t = 1.5 s", "'waits'", words, "yield 1.0",
                     "self.call(task())", "test_task_errors.py"):
        assert expected in error.message
    lines = traceback.format_tb(error.__cause__.__traceback__)
    assert "# Here." in lines[-1]


def test_a_generator_that_nobody_carries_out_is_told_to_be_called():
    def inner(stage):
        yield 1

    def waits(stage):
        yield inner(stage)

    error = failure_of(waits)
    assert "yield self.call(task())" in error.message
    assert "self.spawn(task())" in error.message


@pytest.mark.parametrize("wrong, words", [
    (-1.0, "time does not go back"), (float("nan"), "nan"),
    (float("inf"), "inf"), (1e300, "1e+300"),
    (orrery.Resource(1), "cannot wait for")])
def test_a_time_that_cannot_be_is_refused(wrong, words):
    def waits(stage):
        yield wrong

    assert words in failure_of(waits).message


def test_an_author_catches_what_was_wrong_with_a_wait():
    caught = []

    def waits(stage):
        try:
            yield "soon"
        except TypeError as error:
            caught.append(str(error))
        yield 2
        stage.seen.add(stage.now)

    stage = Stage(waits)
    assert stage.run().end == 2.0
    assert "cannot wait for 'soon'" in caught[0]


def test_an_exception_ends_the_run_with_its_traceback_and_results():
    def fails(stage):
        stage.seen.add(1)
        yield 3
        raise ValueError("the wheel is stuck")  # The author's line.

    error = failure_of(fails)
    assert isinstance(error.__cause__, ValueError)
    assert "Stage: " in error.message and "t = 3 s" in error.message
    assert "ValueError: the wheel is stuck" in error.message
    assert error.result.end == 3.0
    assert error.result.model.seen.count == 1
    text = "".join(traceback.format_exception(error))
    assert "# The author's line." in text and "RunError" in text


def test_an_exception_of_a_task_reaches_who_waits_for_it():
    def fails(stage):
        yield 1
        raise KeyError("part")

    caught = []

    def waits(stage):
        try:
            yield stage.call(fails(stage))
        except KeyError as error:
            caught.append((error.args, stage.now))

    Stage(waits).run()
    assert caught == [(("part",), 1.0)]


@pytest.mark.parametrize("verb", ["spawn", "call"])
def test_a_function_that_was_not_called_is_told_to_be(verb):
    def task(stage):
        yield 1

    def gives(stage):
        getattr(stage, verb)(task)
        yield 1

    error = failure_of(gives)
    assert isinstance(error.__cause__, TypeError)
    assert f"cannot {verb} function test_a_function" in error.message
    assert f"call it, {verb}(task())" in error.message


def test_a_method_that_was_not_called_is_told_to_be_by_its_name():
    class Shop(Tasks):
        def start(self):
            self.spawn(self.customer)

        async def customer(self):
            pass

    with pytest.raises(orrery.RunError) as caught:
        Shop().run()
    assert ("TypeError: cannot spawn method test_a_method_that_was_not_called"
            "_is_told_to_be_by_its_name.<locals>.Shop.customer: it is no "
            "task; call it, spawn(self.customer()); ") in caught.value.message


@pytest.mark.parametrize("wrong", [5, "work", print])
def test_what_is_no_task_is_named(wrong):
    def gives(stage):
        stage.spawn(wrong)
        yield 1

    assert f"cannot spawn {wrong!r}: it is no task" in failure_of(
        gives).message


def test_a_function_without_yield_is_no_task():
    def gives(stage):
        stage.spawn(print("at once"))
        yield 1

    assert "must be a generator" in failure_of(gives).message


def test_a_coroutine_that_is_never_awaited_is_told_of():
    async def forgotten():
        pass

    def forgets(stage):
        forgotten()
        yield 1

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        Stage(forgets).run()
    assert any("forgotten' was never awaited" in str(w.message)
               for w in told)


@pytest.mark.parametrize("joint", [False, True])
def test_the_warning_has_the_line_that_made_the_coroutine(joint):
    async def forgotten():
        pass

    def forgets(stage):
        yield 1
        stage.kept = forgotten()  # Its line.
        yield 1

    stage = Stage(forgets)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        if joint:
            simulation = orrery.Simulation()
            simulation.add(stage, "stage")
            simulation.run()
        else:
            stage.run()
        del stage.kept
    assert any("stage.kept = forgotten()  # Its line." in str(w.message)
               for w in told)


def test_one_model_is_in_one_run_at_a_time():
    def waits(stage):
        yield 7
        yield 7

    stage = Stage(waits)
    with stage.begin() as run:
        run.run_until(9)
        with pytest.raises(ValueError, match="this Stage: it is in another "
                                             "run, at t = 9 s"):
            stage.run()
    assert stage.run().end == 14.0


class Named(Tasks):
    def start(self):
        pass


def test_what_other_processes_cannot_import_is_named():
    class Local(Tasks):
        pass

    for cls, options, name in (
            (Local, {}, "Local"),
            (Named, {"measure": lambda model: {}}, "<lambda>"),
            (Named, {"arguments": (threading.Lock(),)}, "lock")):
        with pytest.raises(ValueError) as caught:
            cls.replicate(2, jobs=2, **options)
        assert name in str(caught.value)
        assert "jobs=1" in str(caught.value)


def test_a_declaration_is_no_resource_of_a_model():
    with pytest.raises(ValueError, match="it is a declaration, in no model"):
        Stage.room.acquire()
    with pytest.raises(ValueError, match="it is a declaration, in no model"):
        Stage.room.reset_statistics()


def test_numbers_of_units_out_of_range_are_refused():
    def asks(units):
        def task(stage):
            yield stage.room.acquire(units)
        return failure_of(task).message

    assert "3" in asks(3) and "'room'" in asks(3)
    assert "0" in asks(0)


def test_unknown_arguments_are_named():
    def asks(stage):
        yield stage.room.acquire(amount=1)

    error = failure_of(asks)
    assert "acquire() has no parameter 'amount'" in error.message


def test_a_request_is_awaited_once():
    def asks(stage):
        one = any_of(1, 2)
        yield one
        yield one

    assert "cannot wait for one request twice" in failure_of(asks).message


def test_no_task_at_work_is_said():
    stage = Stage(lambda stage: iter(()))
    for act in (lambda: stage.spawn(x for x in ()), lambda: stage.now,
                lambda: stage.random("x")):
        with pytest.raises(ValueError, match="in no run"):
            act()


def test_units_without_a_name_go_back_at_once_and_a_warning_tells():
    def asks(stage):
        yield stage.room.acquire()
        yield 1

    stage = Stage(asks)
    result = stage.run()
    assert "room" in result.warnings[0]


def test_tasks_that_wait_for_ever_are_told_of():
    def waits(stage):
        with (yield stage.room.acquire(2)):
            yield stage.room.acquire(1)

    (task, what), = Stage(waits).run().waiting
    assert (task, what) == ("waits", "1 of 'room'")


def test_ctrl_c_ends_a_run_at_once_with_its_results():
    def ticks(stage):
        while True:
            yield 1
            stage.seen.add(1)

    stage = Stage(ticks)
    begun = []

    def interrupts():
        time.sleep(0.3)
        begun.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupts).start()
    with pytest.raises(orrery.Interrupted) as caught:
        stage.run(spans=False)
    assert time.perf_counter() - begun[0] < 0.2
    assert isinstance(caught.value, KeyboardInterrupt)
    assert caught.value.result.end > 100
    assert abs(stage.seen.count - caught.value.result.end) <= 1


def test_ctrl_c_ends_a_script(tmp_path):
    script = tmp_path / "endless.py"
    script.write_text(textwrap.dedent("""
        import orrery
        class Endless(orrery.Tasks):
            def start(self):
                print("begun", flush=True)
                while True:
                    yield 1
        Endless().run(spans=False)
    """))
    process = subprocess.Popen([sys.executable, script],
                               stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert "Interrupted: interrupted at t = " in told
