"""Runs that Python carries on step by step."""
from __future__ import annotations

import itertools
import threading
from typing import (
    TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Union)

from orrery import values
from orrery.errors import ArgumentError, Interrupted, RunError
from orrery.results import Result

if TYPE_CHECKING:
    from orrery.model import Model


class SteppedRun:
    """A run between two steps: read quantities, set inputs, go on.

    Made by `Model.start`; use it in a `with` statement, which finishes it.
    `run["x"]` is the value of any quantity now, at an event the one after it.
    `run["u"] = 2` sets an input or a parameter from now on. One thread uses it
    at a time.

    >>> import orrery
    >>> model = orrery.modelica("model M Real x = 2*time; end M;")
    >>> with model.start(stop=10) as run:
    ...     run.step("500 ms")
    ...     run["x"], run.time
    (1.0, 0.5)
    """

    def __init__(self, begin: Callable[[Dict[str, Any]], Any],
                 model: "Model", given: Dict[str, Any]) -> None:
        self._run = begin(given)  # Begins a run of the engine, by options.
        self._begin = begin
        self._model = model
        self._given = given
        # All that repeats the run: times that it has gone on to, and settings.
        self._done: List[Union[float, Dict[str, float]]] = []
        self._repeats = True  # Until it goes back.
        self._finished: Optional[Result] = None
        self._in_use = threading.Lock()
        # Steps of one length end at multiples of it: no rounding adds up.
        self._base, self._length, self._count = self.time, 0.0, 0

    @property
    def time(self) -> float:
        """The present time, s."""
        return float(self._run.time)

    @property
    def stop(self) -> float:
        """The stop time, s."""
        return float(self._run.stop)

    @property
    def has_ended(self) -> bool:
        """True if it cannot go on: it is at its stop time, the model has
        ended it, or it failed. `result.summary` says which."""
        return self._finished is not None or bool(
            self._run.has_ended) or self.time >= self.stop

    def __getitem__(self, name: str) -> float:
        if not isinstance(name, str):
            raise TypeError(f"cannot take {name!r} for a quantity: give the "
                            "name of one")
        if name == "time":
            return self.time
        return float(self._alone(self._run.get, name))

    def __setitem__(self, name: str, value: values.Value) -> None:
        self.set({name: value})

    def set(self, settings: Optional[Mapping[str, Any]] = None, /,
            **parameters: Any) -> None:
        """Sets several inputs and parameters at once, in one event.

        Raises:
            ArgumentError: a name or value is wrong; nothing has changed then.
        """
        self._check_open()
        numbers = self._model._numbers(settings, parameters, "set")
        self._alone(self._run.set, numbers)
        self._done.append(numbers)

    def step(self, length: values.Time) -> None:
        """Goes on by `length` (s), at most to the stop time.

        A step in which the model ends its run, by `terminate`, is shorter;
        ask `has_ended` after it: `while not run.has_ended: run.step(1)`.

        Raises:
            RunError: the run failed on the way, or the model had ended it
                before; `error.result` has its rows.
            Interrupted: by Ctrl-C.
        """
        its = values.seconds(length, "length")
        if not its > 0:
            raise ArgumentError(f"cannot step by {its} s: give a time above 0")
        if its != self._length or self._run.time != self._target():
            self._base, self._length, self._count = self._run.time, its, 0
        self._count += 1
        target = self._target()
        if target > self.stop - 1e-9 * its:
            target = self.stop
        self._go_to(target)

    def run_until(self, time: values.Time) -> None:
        """Goes on to `time` (s), and completes that instant.

        Raises:
            ArgumentError: the time has passed, or lies after the stop.
            RunError, Interrupted: as `step`.
        """
        target = values.seconds(time)
        if not self.time <= target <= self.stop:
            raise ArgumentError(f"cannot go on to {target} s: the run is at "
                                f"{self.time} s and stops at {self.stop} s")
        self._go_to(target)

    def save(self) -> bytes:
        """The run as it is now, as bytes: what goes on from them, by
        `restore` or `Model.resume`, has the same bits as this run. A file
        of them is as `orrery run --save-state` writes it.

        Raises:
            ArgumentError: the run has ended, or has parts that cannot be
                saved: sensitivities, or FMUs.
        """
        self._check_open()
        return bytes(self._alone(self._run.save))

    def restore(self, state: bytes) -> None:
        """Goes back, or on, to a state that `save` gave, of this run or of
        another one of the same model with the same options. The results
        begin there then.

        >>> import orrery
        >>> model = orrery.modelica("model M Real x(start=1, fixed=true); "
        ...     "equation der(x) = -x; end M;")
        >>> with model.start(stop=2) as run:
        ...     run.step(1)
        ...     state = run.save()
        ...     run.step(1)
        ...     there = run["x"]
        ...     run.restore(state)
        ...     run.step(1)
        ...     run["x"] == there
        True
        """
        self._check_open()
        self._alone(self._run.restore, state)
        self._repeats = False
        self._length = 0.0

    def _target(self) -> float:
        return float(self._base + self._count * self._length)

    def _go_to(self, target: float) -> None:
        self._check_open()
        if self._run.has_ended:
            summary = self._alone(self._run.result)[2]
            raise RunError(f"cannot go on: the run has {summary.message}",
                           summary.diagnostics(), self.result)
        exception = self._alone(self._run.run_until, target)
        self._done.append(target if exception is None else self.time)
        if exception is not None:
            if isinstance(exception, KeyboardInterrupt):
                raise Interrupted(f"interrupted at {self.time} s",
                                  self.result) from None
            raise exception
        if self._run.has_ended:
            summary = self._alone(self._run.result)[2]
            if not summary.completed:
                raise RunError(summary.message, summary.diagnostics(),
                               self.result)

    def _check_open(self) -> None:
        if self._finished is not None:
            raise ArgumentError("cannot go on: the run is finished; begin "
                                "another one by start()")

    @property
    def result(self) -> Result:
        """The rows up to now."""
        if self._finished is not None:
            return self._finished
        return self._result_of(self._alone(self._run.result))

    def _result_of(self, parts: Any) -> Result:
        return self._model._checked(parts, self._given, (), False,
                                    repeat=self._repeater())

    def _repeater(self) -> Any:
        """What repeats the run up to now with rows at further times; see
        `Result.at`."""
        if self._model.calls_python or not self._repeats:
            return None
        count = len(self._done)

        def repeat(result: Result, times: Any) -> Any:
            run = self._begin({**self._given, "output_times": times})
            for its in itertools.islice(self._done, count):
                if isinstance(its, dict):
                    run.set(its)
                elif (exception := run.run_until(its)) is not None:
                    raise exception
            again = run.result()[0]
            is_same = len(again.time) and again.time[-1] == result.time[-1]
            return again if is_same else None
        return repeat

    def finish(self) -> Result:
        """Ends the run at the present time.

        At the stop time it is complete, with the last event of the model.
        """
        if self._finished is None:
            self._finished = self._result_of(self._alone(self._end))
        return self._finished

    def _end(self) -> Any:
        run = self._run
        if not run.has_ended and run.time >= run.stop:
            return run.finish()
        if not run.has_ended:
            run.interrupt()
        return run.result()

    def _alone(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Does something that must not happen while the run goes on."""
        if not self._in_use.acquire(blocking=False):
            raise ArgumentError(
                f"cannot use the run of {self._model.name}: it goes on just "
                "now, in another thread or below a signal handler; let one "
                "thread use it at a time")
        try:
            return work(*arguments)
        finally:
            self._in_use.release()

    def _ipython_key_completions_(self) -> List[str]:
        return ["time"] + list(self._model.variables)

    def __enter__(self) -> "SteppedRun":
        return self

    def __exit__(self, *_: Any) -> None:
        self.finish()

    def __repr__(self) -> str:
        return f"<orrery.SteppedRun of {self._model.name} at {self.time} s>"
