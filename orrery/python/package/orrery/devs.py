"""Discrete-event models in the DEVS formalism.

An atomic model is a class of functions of its state. Coupled models join the
ports of their parts:

>>> from orrery import devs
>>> class Counter(devs.Atomic):
...     arrived = devs.In()
...     def initial(self): return [0]
...     def external(self, s, elapsed, x): s[0] += len(x[self.arrived])
>>> class Shop(devs.Coupled):
...     def __init__(self):
...         door = self.add(devs.Generator("2 s"), "door")
...         self.counter = self.add(Counter(), "counter")
...         self.couple(door.out, self.counter.arrived)
>>> shop = Shop()
>>> shop.run(stop="9 s").state(shop.counter)
[4]
"""
import keyword
import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Union

from orrery import _orrery
from orrery.errors import ArgumentError
from orrery.runs import carry_out

INFINITY = math.inf
Bag = _orrery.Bag
In = _orrery.In
Out = _orrery.Out

_library = _orrery.devs_library
Distribution = _library.Distribution
empirical = _library.empirical
exponential = _library.exponential
gamma = _library.gamma
lognormal = _library.lognormal
normal = _library.normal
triangular = _library.triangular
uniform = _library.uniform
weibull = _library.weibull

Times = Union[float, str, Any]  # A timedelta or a Distribution as well.


class Job(NamedTuple):
    """The message of a generator that is not told what to make."""

    id: int
    priority: float = 0.0


class Report(NamedTuple):
    """What a transducer has measured; times in seconds."""

    arrived: int
    solved: int
    mean_turnaround_s: Optional[float]
    throughput_per_s: float
    mean_number: float


def _bind_ports(self: Any) -> None:
    found: Dict[str, Any] = {}
    for base in reversed(type(self).__mro__):
        for name, value in vars(base).items():
            if isinstance(value, (In, Out)):
                found[name] = value
    for name, declared in found.items():
        setattr(self, name, declared._bind(self, name))


class Atomic(_orrery.DevsAtomic):
    """An atomic model: derive from it, with inputs `In()` and outputs `Out()`
    in the body of the class, and these functions, all but the first of a
    state `s`:

    - `initial(self)` gives the state at the start, any object; a stream of
      random numbers in it is `self.random("times")`;
    - `time_advance(self, s)`: the time to the next internal transition, in
      seconds, as a timedelta or as "2 min"; `INFINITY` for none;
    - `output(self, s, y)`: what is sent before it, by `y[self.done] = job`;
    - `internal(self, s)` and `external(self, s, elapsed, x)` change the
      state; `x[self.order]` are the messages that came, a tuple;
    - `confluent(self, s, x)` for both at one time; by default `internal` and
      then `external`;
    - `describe(self, s)`: a dictionary for traces.

    A snapshot has copies of the states, by `copy.deepcopy`.

    >>> class Light(Atomic):
    ...     colour = Out()
    ...     def initial(self): return {"is_green": False}
    ...     def time_advance(self, s): return 20 if s["is_green"] else 60
    ...     def output(self, s, y): y[self.colour] = not s["is_green"]
    ...     def internal(self, s): s["is_green"] = not s["is_green"]
    >>> light = Light()
    >>> light.run(stop="150 s").state(light)
    {'is_green': True}
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = super().__new__(cls)
        _bind_ports(self)
        return self

    def run(self, stop: Any = None, **options: Any) -> "DevsResult":
        """Runs the model alone; see `Coupled.run`."""
        alone = Coupled()
        alone.add(self, type(self).__name__.lower())
        return alone.run(stop, **options)


class Coupled(_orrery.DevsCoupled):
    """A model of parts: `add` them, and `couple` their ports.

    A part is a model of its own, atomic or coupled. Ports of this model are
    written in the body of the class.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = super().__new__(cls)
        _bind_ports(self)
        return self

    def begin(self, *, formalism: str = "parallel", seed: int = 1,
              debug: bool = False, trace: Optional[str] = None,
              trace_format: str = "csv", trace_inputs: bool = False,
              max_microsteps: int = 1_000_000) -> "DevsRun":
        """Begins a run that goes on step by step; options as those of `run`.
        """
        return DevsRun(self, formalism, seed, debug, trace, trace_format,
                       trace_inputs, max_microsteps)

    def run(self, stop: Any = None, **options: Any) -> "DevsResult":
        """Runs the model to `stop` ("8 h" or seconds), or as long as something
        is due.

        `formalism` is "parallel" or "classic"; `trace` a pattern of the paths
        of models ("*" for all), whose states and outputs are then in
        `result.trace` as text, in the `trace_format` "csv" or "json";
        `debug=True` checks that `output` changes no state.
        """
        run = self.begin(**options)
        run.run_until(stop)
        return run.result()


class DevsRun:
    """A run of a coupled model that is taken as far as one likes.

    >>> class Clock(Coupled):
    ...     def __init__(self):
    ...         self.add(Generator(3), "clock")
    >>> run = Clock().begin()
    >>> run.step(), run.now
    (True, 3.0)
    >>> here = run.save()
    >>> run.run_until(20)
    >>> run.restore(here)
    >>> run.now, run.next_time
    (3.0, 6.0)
    """

    def __init__(self, model: Coupled, formalism: str = "parallel",
                 seed: int = 1, debug: bool = False,
                 trace: Optional[str] = None, trace_format: str = "csv",
                 trace_inputs: bool = False,
                 max_microsteps: int = 1_000_000) -> None:
        for given, known in ((formalism, ("parallel", "classic")),
                             (trace_format, ("csv", "json"))):
            if given not in known:
                raise ArgumentError(
                    f"cannot run a model as '{given}'; known: "
                    + ", ".join(known))
        self.model = model
        self._debug = debug
        self._engine: Any = None
        self._engine = self._going(
            _orrery.DevsRun, model, formalism == "classic", seed,
            max_microsteps)
        if trace is not None:
            self._engine.trace(trace, trace_format == "json", trace_inputs)

    @property
    def now(self) -> float:
        """The time, in seconds."""
        return float(self._engine.now) if self._engine else 0.0

    @property
    def next_time(self) -> Optional[float]:
        """When something is due next; None if nothing is."""
        time: Optional[float] = self._engine.next_time
        return time

    @property
    def trace(self) -> str:
        """The trace so far."""
        return str(self._engine.trace_text)

    @property
    def statistics(self) -> Dict[str, int]:
        """Counts of steps, transitions and messages."""
        return dict(self._engine.statistics())

    def run_until(self, stop: Any = None) -> None:
        """Carries out all that is due up to `stop`, or all there is."""
        self._going(self._engine.run, stop)

    def step(self) -> bool:
        """Carries out the next time at which something is due."""
        return bool(self._going(self._engine.step))

    def inject(self, port: Any, message: Any) -> None:
        """Sends a message to an input of the outermost model, now."""
        self._engine.inject(port, message)

    def state(self, model: Any) -> Any:
        """The state of an atomic model; of a model of the library what a
        trace shows of it, as a dictionary."""
        return self._engine.state(model)

    def save(self) -> Any:
        """A snapshot, for `restore`."""
        return self._engine.save()

    def restore(self, snapshot: Any) -> None:
        """Goes back, or on, to a snapshot."""
        self._engine.restore(snapshot)

    def result(self) -> "DevsResult":
        """What there is up to now."""
        return DevsResult(self)

    def _going(self, act: Callable[..., Any], *arguments: Any) -> Any:
        _orrery.set_devs_debugging(self._debug)
        return carry_out(type(self.model).__name__, act, arguments,
                         lambda: self.now, self.result)


class DevsResult:
    """A run that is over: `state(model)`, `statistics`, `trace`, `end`."""

    def __init__(self, run: DevsRun) -> None:
        self._run = run
        self.end = run.now

    @property
    def statistics(self) -> Dict[str, int]:
        """Counts of steps, transitions and messages."""
        return self._run.statistics

    @property
    def trace(self) -> str:
        """States and outputs as text, if the run was asked for a trace."""
        return self._run.trace

    def state(self, model: Any) -> Any:
        """As `DevsRun.state`, at the end."""
        return self._run.state(model)


class _Library(_orrery.DevsModel):
    """A model of the library. Its ports are attributes; `in_` is "in"."""

    def _take_ports(self) -> None:
        for name, port in self.ports.items():
            setattr(self, name + "_" * keyword.iskeyword(name), port)


class Generator(_Library):
    """Sends messages by `out`, a spacing apart, until one comes at `stop`.

    `make(number, random)` makes them; by default a `Job` of that number.
    """

    def __init__(self, spacing: Times, *, first: Any = None,
                 limit: Optional[int] = None,
                 make: Optional[Callable[[int, Any], Any]] = None) -> None:
        _library.make_generator(self, spacing, first, limit, make)
        self._take_ports()


class Processor(_Library):
    """Serves one job at a time; those that come meanwhile are lost."""

    def __init__(self, service: Times) -> None:
        _library.make_processor(self, service)
        self._take_ports()


class Queue(_Library):
    """Holds jobs for servers, which tell at `done` that one is free again."""

    def __init__(self, units: int = 1, *, capacity: Optional[int] = None,
                 discipline: str = "fifo") -> None:
        _library.make_queue(self, units, capacity, discipline)
        self._take_ports()


class Server(_Library):
    """Serves as many jobs at a time as it has units; others wait.

    `discipline` is "fifo", "lifo" or "priority" (by `job.priority`).
    """

    def __init__(self, service: Times, units: int = 1, *,
                 capacity: Optional[int] = None,
                 discipline: str = "fifo") -> None:
        _library.make_server(self, service, units, capacity, discipline)
        self._take_ports()


class Delay(_Library):
    """Sends on each message when its delay is over."""

    def __init__(self, delay: Times) -> None:
        _library.make_delay(self, delay)
        self._take_ports()


class Switch(_Library):
    """Sends each message on by one of `out0`, `out1`, ...: in turn, by a
    function of the message, or at random by weights."""

    def __init__(self, outputs: int,
                 route: Union[None, List[float], Callable[[Any], int]] = None
                 ) -> None:
        _library.make_switch(self, outputs, route)
        self._take_ports()


class Merge(_Library):
    """Sends on what comes at `in0`, `in1`, ..., in the order of these."""

    def __init__(self, inputs: int) -> None:
        _library.make_merge(self, inputs)
        self._take_ports()


class Transducer(_Library):
    """Measures a system: couple its inputs to `arrived` and its outputs to
    `solved`. At its time it sends a `Report` by `report`, and by `done` what
    stops generators."""

    def __init__(self, observation: Any, warm_up: Any = 0.0) -> None:
        _library.make_transducer(self, observation, warm_up)
        self._take_ports()


class Sink(_Library):
    """Receives messages at `in_`, and counts them."""

    def __init__(self) -> None:
        _library.make_sink(self)
        self._take_ports()


class Recorder(_Library):
    """Keeps all messages that come at `in_`, with their times."""

    def __init__(self) -> None:
        _library.make_recorder(self)
        self._take_ports()
