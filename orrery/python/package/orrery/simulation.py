"""Equations, DEVS models and tasks on one time.

>>> import orrery
>>> class Crew(orrery.Tasks):
...     cleaned = orrery.Monitor()
...     def cleans(self, level):
...         while True:
...             yield orrery.until(level <= 0.5)
...             self.cleaned.add(self.now)
...             yield 60
...             level.set(2)
>>> simulation = orrery.Simulation()
>>> tank = simulation.add(orrery.modelica('''
...     model Tank Real h(start=2, fixed=true); equation der(h) = -0.01;
...     end Tank;'''), "tank")
>>> crew = simulation.add(Crew(), "crew")
>>> simulation.start(crew.cleans(tank["h"]))
>>> result = simulation.run(stop="8 min")
>>> crew.cleaned.count, round(crew.cleaned.min, 6)
(2, 150.0)
>>> float(round(result["h"].min(), 6))
-0.1
"""
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from orrery import _orrery
from orrery import options as run_options
from orrery.errors import ArgumentError, ModelError, RunError
from orrery.results import Result
from orrery.runs import raise_stopped, with_origins
from orrery.tasks import Tasks
from orrery.timelines import Span, Timeline

Crossed = _orrery.Crossed
Crossing = _orrery.Crossing
Sampled = _orrery.Sampled
Variable = _orrery.Variable


class System:
    """The equations of a simulation: `system["level"]` is a quantity.

    A quantity has a `value`, and `set(number)` for inputs and states. It is
    compared in conditions, `until(tank["level"] < 0.1)`, and connected:
    `rises(4.8)`, `falls(0.1)`, `crosses(1)`, `every("0.5 s")`.
    """

    def __init__(self, engine: Any, model: Any) -> None:
        self._engine = engine
        self.model = model

    def __getitem__(self, name: str) -> Variable:
        variable: Variable = self._engine.variable(name)
        return variable


class SimulationResult(Result):
    """The rows of the equations, and what DEVS models and tasks have left.

    `end` is the time reached; `waiting` are tasks that wait for what never
    came; `notes` are warnings about tasks.
    """

    _more = ("end", "waiting", "notes", "statistics", "_spans")

    def __init__(self, trajectory: Any, others: Mapping[str, Any],
                 **rest: Any) -> None:
        super().__init__(trajectory, **rest)
        self.end: float = others["end"]
        self.waiting: List[Tuple[str, str]] = others["waiting"]
        self.notes: List[str] = others["warnings"]
        self.statistics: Dict[str, int] = {
            name: others[name] for name in (
                "instants", "microsteps", "messages", "steps_of_tasks")}
        self._spans = others["spans"]

    def timeline(self) -> Timeline:
        """When each task was at work, as a chart and a table."""
        return Timeline(Span.all_of(self._spans), self.end)


class Simulation:
    """Equations, DEVS models and tasks in one run.

    `add` the models, `connect` them, and `run`. What happens at one time has
    microsteps: all that is due in one sees the values at the end of the one
    before, and messages between the engines arrive in the next.
    """

    _engine: Any
    _system: Optional[System]
    _parts: List[Any]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = super().__new__(cls)
        self._engine = _orrery.TimelineModel()
        self._system = None
        self._parts = []
        return self

    def __init__(self) -> None:
        """Begins without any model."""

    def add(self, model: Any, name: str) -> Any:
        """Adds a model; returns it or, for equations, their `System`.

        Equations are added once: join several models in a diagram.
        """
        if isinstance(model, Tasks):
            self._add_tasks(name, model)
        elif isinstance(model, _orrery.DevsModel):
            self._engine.add_devs(name, model)
        else:
            handle = getattr(model, "_handle", None)
            if handle is None:
                raise TypeError(
                    f"cannot add {model!r} to a simulation: give a model of "
                    "orrery.load, a DEVS model or a model of tasks")
            self._engine.add_equations(handle)
            self._system = System(self._engine, model)
            return self._system
        self._parts.append(model)
        return model

    def _add_tasks(self, name: str, model: Tasks) -> None:
        try:
            self._engine.add_tasks(name, model)
        except ModelError as error:
            if "make another model of its class" not in error.message:
                raise
            kind = type(model).__name__
            raise ArgumentError(
                f"cannot add this {kind} as '{name}': it belongs to another "
                f"simulation, model or run; add another {kind}()") from None

    def connect(self, source: Any, target: Any,
                function: Optional[Callable[[Any], Any]] = None) -> None:
        """Connects two models. `function` makes of what is sent what is
        received.

        - `tank["level"].rises(4.8)`, and its kin, to an input of a DEVS
          model, or to a function that makes a task; a `Crossed` is sent,
          with `value` and `is_rising`;
        - `tank["level"].every(0.5)` to an input of a DEVS model;
        - an output of a DEVS model, or a `Topic` of tasks, to a quantity of
          the equations, to an input of a DEVS model; the output also to a
          function that makes a task;
        - a `Level` or `Counter` of tasks to an input of the equations, which
          follows it.
        """
        self._engine.connect(source, target, function)

    def start(self, task: Any, at: Any = 0.0) -> None:
        """Lets a task begin at a time, in the first run."""
        self._engine.start(task, at)

    def run(self, settings: Optional[Mapping[str, Any]] = None, /, *,
            stop: Any = None, seed: int = 1, spans: bool = True,
            check: bool = True, **options: Any) -> SimulationResult:
        """Runs all models from 0 s to `stop`; without a stop, as the model of
        the equations says, or as long as something is due.

        `settings` and the other options are those of `Model.run`, for the
        equations: `tolerance`, `method`, `record`...
        """
        for name in options:
            if name not in run_options.STEP_OPTIONS:
                run_options.refuse_option(
                    name, run_options.STEP_OPTIONS, "run")
                raise TypeError(f"run() has no option '{name}'; values of the "
                                "equations are settings, run({\"name\": "
                                "value})")
        given = run_options.collect(options)
        common: Dict[str, Any] = {"seed": seed, "spans": spans}
        if stop is not None:
            common["stop"] = _orrery.duration(stop)
        numbers: Dict[str, float] = {}
        if settings:
            if self._system is None:
                raise ArgumentError(
                    "cannot set parameters: the simulation has no equations")
            numbers = self._system.model._numbers(settings, {}, "run")
        parts, others = with_origins(self._engine.run, common, given, numbers)
        trajectory, events, summary, stopped = parts
        result = SimulationResult(
            trajectory, others, name="simulation", events=events,
            summary=summary, record=given.get("record", ()))
        failure = others.get("failure")
        cause = getattr(failure, "__cause__", None)
        if stopped is None and isinstance(cause, KeyboardInterrupt):
            stopped = cause
        raise_stopped(stopped, result, f"interrupted at t = {result.end:g} s")
        if check and not summary.completed:
            raise RunError(summary.message, summary.diagnostics(),
                           result) from (cause or failure)
        return result
