"""Processes that wait, and what they compete for.

A model is a class of `Tasks`. Its processes are generators, which yield what
they wait for, or coroutines, which await it:

>>> import orrery
>>> class Bank(orrery.Tasks):
...     counter = orrery.Resource(1)
...     def start(self):
...         for name in "ann", "bob":
...             self.spawn(self.customer(name))
...     def customer(self, name):
...         teller, late = yield orrery.any_of(self.counter.acquire(), 5)
...         if late:
...             print(name, "leaves at", self.now)
...             return
...         with teller:
...             yield 7
...         print(name, "is served at", self.now)
>>> result = Bank().run()
bob leaves at 5.0
ann is served at 7.0
"""
import inspect
import json
import types
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from orrery import _orrery, values
from orrery.errors import ArgumentError, FileError
from orrery.replications import Replications, replicate
from orrery.runs import carry_out
from orrery.timelines import Span, Timeline

Cell = _orrery.Cell
Condition = _orrery.Condition
Container = _orrery.Container
Counter = _orrery.Counter
FilterStore = _orrery.FilterStore
Gauge = _orrery.Gauge
Handle = _orrery.Handle
Level = _orrery.Level
Monitor = _orrery.Monitor
PriorityStore = _orrery.PriorityStore
Random = _orrery.Random
Resource = _orrery.Resource
Signal = _orrery.Signal
Store = ItemStore = _orrery.ItemStore
Topic = _orrery.Topic
all_of = _orrery.all_of
any_of = _orrery.any_of
delay = _orrery.delay
until = _orrery.until


def activity(function: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a task something that a plan can ask for, by its name.

    Its arguments have defaults: numbers, truths, texts, or times as a
    timedelta, of which the task is given the seconds.

    >>> class Rover(Tasks):
    ...     way = Level(0)
    ...     @activity
    ...     def drive(self, metres=60.0):
    ...         "Goes straight on."
    ...         yield metres / 2
    ...         self.way.add(metres)
    ...         print(metres, "m until", self.now)
    >>> plan = [{"id": "out", "type": "drive", "start": "1 min"},
    ...         {"type": "drive", "after": "out", "arguments": {"metres": 8}}]
    >>> result = Rover().run(plan=plan)
    60.0 m until 90.0
    8.0 m until 94.0
    >>> [span.name for span in result.timeline().spans]
    ['drive', 'drive']
    """
    parameters = list(inspect.signature(function).parameters.values())[1:]
    for its in parameters:
        if its.default is its.empty:
            raise TypeError(
                f"cannot make '{function.__name__}' an activity: its argument "
                f"'{its.name}' has no default; give one, as in "
                f"{its.name}=1.0")
    function._orrery_arguments = [  # type: ignore[attr-defined]
        (its.name, its.default) for its in parameters]
    return function


def _plan_text(plan: Any) -> Tuple[str, str]:
    """The text of a plan, and its name in messages."""
    if plan is None:
        return "", ""
    if values.is_path(plan):
        path = values.path(plan)
        try:
            with open(path, encoding="utf-8") as file:
                return file.read(), path
        except OSError as error:
            raise FileError(f"cannot read '{path}': {error.strerror}"
                            ) from None
    if not isinstance(plan, dict):
        plan = {"activities": list(plan)}
    return json.dumps(plan, indent=1), "plan"


class Statistics(types.SimpleNamespace):
    """Statistics of a resource, a store or a container, by their names."""

    def to_dict(self, prefix: str = "") -> Dict[str, float]:
        """All numbers, with names such as "wait.mean"."""
        result: Dict[str, float] = {}
        for name, value in vars(self).items():
            if isinstance(value, Statistics):
                result.update(value.to_dict(f"{prefix}{name}."))
            else:
                result[prefix + name] = value
        return result


class TasksResult:
    """What is left of a run of tasks, beside the model itself.

    `end` is the time reached, in seconds; `waiting` are tasks that wait for
    what never came, with a text of what that is; `warnings` are texts.
    """

    def __init__(self, run: "TasksRun") -> None:
        engine = run._engine
        self.model = run.model
        self.seed: int = run.seed
        self.end: float = engine.now
        self.waiting: List[Tuple[str, str]] = engine.waiting()
        self.warnings: List[str] = engine.warnings() + engine.unbegun()
        self.statistics: Dict[str, int] = engine.statistics()
        self._spans = engine.spans() if run.spans else None

    def timeline(self) -> Timeline:
        """When each task was at work, as a chart and a table.

        >>> class Crew(Tasks):
        ...     def start(self):
        ...         self.spawn(self.cleans())
        ...     def cleans(self):
        ...         yield 30
        >>> Crew().run().timeline().spans[0]
        Span(name='cleans', begin=0.0, end=30.0, parent=None, ...)
        """
        if self._spans is None:
            raise ArgumentError(
                "cannot draw a timeline: the run kept no spans; call "
                "run(spans=True)")
        return Timeline(Span.all_of(self._spans), self.end)

    def __repr__(self) -> str:
        return (f"<run of {type(self.model).__name__} to {self.end:g} s, "
                f"seed {self.seed}>")


class TasksRun:
    """A run that is taken as far as one likes: `model.begin()`.

    >>> class Clock(Tasks):
    ...     def start(self):
    ...         while True:
    ...             yield 2
    >>> with Clock().begin() as run:
    ...     run.run_until(5)
    ...     run.now, run.next_time
    (5.0, 6.0)
    """

    def __init__(self, model: "Tasks", seed: int = 1, spans: bool = False,
                 shuffle: Optional[int] = None, plan: Any = None,
                 snapshots: bool = False) -> None:
        plan_text = _plan_text(plan)
        self.model = model
        self.seed = seed
        self.spans = spans
        try:
            self._engine: Any = _orrery.TaskRun(
                model, seed, spans, shuffle, snapshots, plan_text)
        except ArgumentError as error:
            if "another run" not in str(error):
                raise
            raise ArgumentError(
                f"cannot run this {type(model).__name__}: it is in another "
                f"run, at t = {model.now:g} s; end that one, or make another "
                f"{type(model).__name__}()") from None

    @property
    def now(self) -> float:
        """The time, in seconds."""
        return float(self._engine.now)

    @property
    def next_time(self) -> Optional[float]:
        """When something is due next; None if nothing is."""
        time: Optional[float] = self._engine.next_time
        return time

    def run_until(self, stop: Any = None) -> None:
        """Carries out all that is due up to `stop`, or that of the plan; or
        all there is."""
        self._going(self._engine.run,
                    self._engine.stop if stop is None else stop)

    def step(self) -> bool:
        """Carries out the next time at which something is due."""
        return bool(self._going(self._engine.step))

    def save(self) -> Any:
        """A snapshot, for `restore`; needs `begin(snapshots=True)`.

        Generators come back by being carried out again with what they had
        read: they must depend on cells, arguments, queues and `random` only.
        """
        return self._engine.save()

    def restore(self, snapshot: Any) -> None:
        """Goes back, or on, to a snapshot of this run."""
        self._going(self._engine.restore, snapshot)

    def result(self) -> TasksResult:
        """What there is up to now."""
        return TasksResult(self)

    def close(self) -> None:
        """Ends the run: the model can then be run anew."""
        self._engine = None

    def _going(self, act: Callable[..., Any], *arguments: Any) -> Any:
        return carry_out(type(self.model).__name__, act, arguments,
                         lambda: self.now, self.result)

    def __enter__(self) -> "TasksRun":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def _declared(cls: type) -> Iterator[Tuple[str, Any]]:
    """The members and parts that a class declares, bases first."""
    found: Dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if hasattr(value, "_bind") or isinstance(value, Tasks):
                found[name] = value
            elif name in found:
                del found[name]
    return iter(found.items())


class Tasks(_orrery.Tasks):
    """A model of tasks: derive from it, and write `start`.

    Members that tasks share are written in the body of the class; each object
    gets its own. In its tasks, which are generators or coroutines,

    - `yield 1.5`, or `await delay(1.5)`, waits that many seconds;
    - `handle = self.spawn(task())` lets a task run beside this one, and
      `yield handle` waits for its end and gives its result;
      `handle.cancel()` and `handle.interrupt(cause)` end it or its wait;
    - `yield self.call(task())` waits for a task and all that it spawns;
    - `yield until(self.level > 3)` waits until a comparison of cells holds;
    - `yield any_of(a, b)` and `all_of(a, b)` wait for one or for all;
    - `signal = self.signal()` is something to happen: `yield signal` waits for
      `signal.set(value)`;
    - `self.now` is the time in seconds;
    - `self.random("arrivals")` is a stream of random numbers of the task.

    All that is due at one time happens together: a task does not see what
    others do at that very time before it waits again.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = super().__new__(cls)
        for name, declared in _declared(cls):
            if isinstance(declared, Tasks):
                raise ArgumentError(
                    f"cannot make a {cls.__name__}: its part '{name}' would "
                    f"be shared by all of them; write self.{name} = "
                    f"{type(declared).__name__}() in __init__")
            object.__setattr__(self, name, declared._bind(self, name))
        for name in dir(cls):
            function = getattr(cls, name)
            arguments = getattr(function, "_orrery_arguments", None)
            if arguments is not None:
                meaning = (function.__doc__ or name).strip().split("\n")[0]
                _orrery.add_activity(self, name, name, meaning, arguments)
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Tasks) and name not in self.__dict__:
            self._adopt(name, value)
        elif hasattr(value, "_bind"):
            value = value._bind(self, name)
        object.__setattr__(self, name, value)

    def start(self) -> Any:
        """Spawns the tasks that run from the start; may be one itself."""

    def begin(self, *, seed: int = 1, spans: bool = False,
              shuffle: Optional[int] = None, plan: Any = None,
              snapshots: bool = False) -> TasksRun:
        """Begins a run that goes on step by step; with `snapshots=True` it can
        `save` and `restore`."""
        return TasksRun(self, seed, spans, shuffle, plan, snapshots)

    def run(self, stop: Any = None, *, seed: int = 1, spans: bool = True,
            shuffle: Optional[int] = None, plan: Any = None) -> TasksResult:
        """Runs the model, to `stop` ("8 h" or seconds) or as long as it does
        something. Statistics are then in its members.

        `shuffle` carries out what is due at one time in a random order: the
        results of a sound model stay the same. `plan` is a file, or a list of
        activities as in such a file: see `activity`.
        """
        with self.begin(seed=seed, spans=spans, shuffle=shuffle,
                        plan=plan) as run:
            run.run_until(stop)
            return run.result()

    def measures(self) -> Dict[str, float]:
        """The statistics of all members, by names as "counter.wait.mean"."""
        result: Dict[str, float] = {}
        for name, member in vars(self).items():
            if isinstance(member, Monitor):
                result[name + ".count"] = member.count
                result[name + ".mean"] = member.mean
                result[name + ".max"] = member.max
            elif hasattr(member, "statistics"):
                result.update(member.statistics.to_dict(name + "."))
            elif isinstance(member, Tasks):
                for inner, value in member.measures().items():
                    result[f"{name}.{inner}"] = value
        return result

    @classmethod
    def replicate(cls, count: int = 10, *, stop: Any = None, seed: int = 1,
                  jobs: int = 1, arguments: Tuple[Any, ...] = (),
                  measure: Optional[Callable[["Tasks"], Any]] = None
                  ) -> Replications:
        """Runs `count` models, each with numbers of its own.

        `measure(model)` gives a dictionary of numbers of a run; by default
        `model.measures()`. With `jobs=2`, two processes work at once.

        >>> class Dice(Tasks):
        ...     eyes = Monitor()
        ...     def start(self):
        ...         self.eyes.add(self.random("eyes").integer(1, 6))
        >>> Dice.replicate(4)["eyes.mean"].tolist()
        [2.0, 4.0, 4.0, 1.0]
        """
        return replicate(cls, arguments, count, stop, seed, jobs, measure)
