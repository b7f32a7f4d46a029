"""Blocks whose equations are written in Python, and diagrams of blocks.

>>> import orrery
>>> from orrery import Block, Input, Output, Parameter, State, der, sin
>>> class Pendulum(Block):
...     length = Parameter(1.0, unit="m")
...     torque = Input()
...     angle, rate = State(0.1, unit="rad"), State(0.0, unit="rad/s")
...     tip = Output(unit="m")
...     def equations(self):
...         yield der(self.angle) == self.rate
...         yield der(self.rate) == (
...             -9.81 / self.length * sin(self.angle) + self.torque)
...         yield self.tip == self.length * sin(self.angle)
>>> d = orrery.Diagram("Controlled")
>>> pendulum = d.add(Pendulum(length=2), "pendulum")
>>> gain = d.add(orrery.blocks.math.Gain(k=-3), "gain")
>>> d.connect(pendulum.tip, gain.u)
>>> d.connect(gain.y, pendulum.torque)
"""
from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Iterable

import numpy as np

from orrery import _orrery
from orrery._orrery import Quantity
from orrery.declarations import Declaration, _numbers
from orrery.errors import UnknownPortError
from orrery.opaque_function import Opaque
from orrery.values import hint

if TYPE_CHECKING:
    from orrery.model import Model


def _nearest(wanted: str, known: Iterable[str]) -> str:
    return hint(wanted, sorted(known))


def _no_attribute(owner: str, what: str, name: str, known: Iterable[str]
                  ) -> AttributeError:
    """What an unknown attribute raises. Python itself asks for those that
    begin with `_`."""
    message = f"{owner} has no {what} '{name}'"
    if name.startswith("_"):
        return AttributeError(message)
    return UnknownPortError(message + _nearest(name, known))


def _caller() -> str:
    """The file and line of the user's code that is being carried out."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}: "


_tracing = threading.Lock()


class Part:
    """A block of any kind: what diagrams are made of."""

    _core: Any
    _parent: Diagram | None
    _model: Model | None
    _traced_by: int | None  # The thread that traces it, at the top.
    _names: frozenset[str]

    def _adopt_core(self, core: Any) -> None:
        object.__setattr__(self, "_core", core)
        object.__setattr__(self, "_parent", None)
        object.__setattr__(self, "_model", None)
        object.__setattr__(self, "_traced_by", None)
        object.__setattr__(self, "_names", frozenset(core.names()))

    @property
    def name(self) -> str:
        """The name in its diagram, else that of its class."""
        return str(self._core.name)

    @property
    def path(self) -> str:
        """The names from the outermost diagram on, joined by dots."""
        return str(self._core.path)

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The quantities by name, in the order of declaration."""
        return {name: self[name] for name in self._core.names()}

    def __getitem__(self, name: str) -> Quantity:
        return self._quantity(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._set(name, value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path}>"

    def _quantity(self, name: str) -> Quantity:
        quantity: Quantity = self._core.quantity(name, self)
        return quantity

    def _target(self, name: str) -> Quantity:
        if name not in self._names:
            raise ValueError(
                f"cannot set '{name}' in {self.path}: it has no such quantity"
                + _nearest(name, self._names))
        return self._quantity(name)

    def _set(self, name: str, value: Any) -> None:
        if self._is_traced():
            raise TypeError(
                f"{_caller()}cannot set {self.path}.{name} while its "
                "equations are traced; an equation is written by ==: yield "
                f"self.{name} == ...")
        self._core.set_value(self._target(name).name, _numbers(value))
        self._changed()

    def _root(self) -> Part:
        block: Part = self
        while block._parent is not None:
            block = block._parent
        return block

    def _is_traced(self) -> bool:
        return self._root()._traced_by is not None

    def _changed(self) -> None:
        block: Part | None = self
        while block is not None:
            object.__setattr__(block, "_model", None)
            block = block._parent

    def model(self) -> Model:
        """The model of this block, traced anew only if it has changed."""
        def make() -> Model:
            from orrery.model import Model
            calls = Opaque.calls
            model = Model(_orrery.model_of_block(self._core))
            model.calls_python = Opaque.calls != calls
            return model

        if self._model is None:
            object.__setattr__(self, "_model", self._trace(make))
        assert self._model is not None
        return self._model

    def _trace(self, make: Callable[[], Any]) -> Any:
        """What `make` gives, which may call equations."""
        root = self._root()
        with _tracing:
            if root._traced_by is not None:
                raise ValueError(
                    f"cannot trace {self.path}: "
                    + ("its own equations ask for it"
                       if root._traced_by == threading.get_ident()
                       else "another thread is tracing it; make a block for "
                            "each thread, or share block.model()"))
            object.__setattr__(root, "_traced_by", threading.get_ident())
        try:
            return make()
        finally:
            object.__setattr__(root, "_traced_by", None)

    @property
    def num_states(self) -> int:
        """The number of states, elements of arrays counted."""
        return int(self._core.counts()[0])

    def state_update_function(self, t: float, x: Any, u: Any = ()) -> Any:
        """dx/dt = g(t, x, u), for the states and inputs in their order.

        >>> import orrery
        >>> orrery.blocks.continuous.Integrator(k=3).state_update_function(
        ...     0, [1], [2])
        array([6.])
        """
        return np.array(self._trace(lambda: self._core.slopes_at(t, x, u)))

    def output_function(self, t: float, x: Any, u: Any = ()) -> Any:
        """y = h(t, x, u)."""
        return np.array(self._trace(lambda: self._core.outputs_at(t, x, u)))

    def event_function(self, t: float, x: Any, u: Any = ()) -> Any:
        """z = e(t, x, u): an event takes place where an element crosses 0."""
        return np.array(self._trace(lambda: self._core.events_at(t, x, u)))

    def feedthrough_inputs(self, output: int | None = None) -> list[int]:
        """The inputs that influence an output, or any, directly."""
        return list(self._trace(
            lambda: self._core.feedthrough_inputs(output)))

    def run(self, *arguments: Any, **options: Any) -> Any:
        """Runs the model of this block; see `Model.run`."""
        return self.model().run(*arguments, **options)


class Block(Part):
    """A block with equations; see `orrery.block`.

    Quantities are class attributes, or are given to `self` in `__init__`. A
    keyword of the constructor sets a parameter or a start. `equations` is
    called when the block is traced, and must state the same each time.

    >>> import orrery
    >>> class Decay(orrery.Block):
    ...     rate, x = orrery.Parameter(2.0), orrery.State(1.0)
    ...     def equations(self):
    ...         yield orrery.der(self.x) == -self.rate * self.x
    >>> block = Decay(rate=3)
    >>> block.rate.value
    3.0
    """

    _declarations: ClassVar[dict[str, Declaration]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._declarations = {
            name: its for kind in reversed(cls.__mro__)
            for name, its in vars(kind).items()
            if isinstance(its, Declaration)}

    def __new__(cls, *arguments: Any, **values: Any) -> Any:
        self = super().__new__(cls)
        self._adopt_core(self._make_core(cls.__name__))
        for name, declaration in cls._declarations.items():
            self._declare(name, declaration)
        return self

    def __init__(self, **values: Any) -> None:
        for name, value in values.items():
            if name not in self._names:
                raise ValueError(
                    f"cannot make a {type(self).__name__} with '{name}': it "
                    "has no such quantity" + _nearest(name, self._names))
            self._set(name, value)

    def _make_core(self, name: str) -> Any:
        return _orrery.BlockCore.block(name, self)

    def _declare(self, name: str, declaration: Declaration) -> None:
        declaration.declare(self._core, name)
        object.__setattr__(self, "_names", self._names | {name})
        self._changed()

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Declaration):
            self._declare(name, value)
            self.__dict__[name] = self._quantity(name)
        elif name in self._names:
            self._set(name, value)
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__.get("_names", ())
        raise _no_attribute(self.path if names else type(self).__name__,
                            "port or quantity", name, names)

    @property
    def time(self) -> Any:
        """The simulated time, s, in equations."""
        return _orrery.formulas.symbol_of_run("time")

    def equations(self) -> Iterable[Any]:
        """Yields the equations, `left == right`, events and assertions."""
        return ()


class Diagram(Block):
    """Blocks and the connections between them; a block itself.

    Parts are added by name, or by giving them to `self` in `__init__`. Models
    from files are parts as well.

    >>> import orrery
    >>> d = orrery.Diagram("Loop")
    >>> integral = d.add(orrery.blocks.continuous.Integrator(), "integral")
    >>> gain = d.add(orrery.blocks.math.Gain(k=-1), "gain")
    >>> d.connect(integral.y, gain.u)
    >>> d.connect(gain.y, integral.u)
    """

    _parts: dict[str, Part]

    def __new__(cls, name: str | None = None, *arguments: Any,
                **values: Any) -> Any:
        self = super().__new__(cls)
        self.__dict__["_parts"] = {}
        if cls is Diagram and name is not None:
            self._adopt_core(self._make_core(name))
        return self

    def __init__(self, name: str | None = None, **values: Any) -> None:
        super().__init__(**values)

    def _make_core(self, name: str) -> Any:
        return _orrery.BlockCore.diagram(name)

    @property
    def parts(self) -> dict[str, Part]:
        """The parts by name, in the order in which they were added."""
        return dict(self._parts)

    def add(self, part: Any, name: str) -> Any:
        """Adds a block, or a model from a file, under a name; returns it."""
        if not isinstance(part, Part):
            part = _part_of(part)
        self._core.add(name, part._core)
        object.__setattr__(part, "_parent", self)
        self._parts[name] = part
        self._changed()
        return part

    def connect(self, source: Quantity, target: Quantity) -> None:
        """Makes an input of a part, or an output of this diagram, equal to an
        output of a part or an input of this diagram."""
        for end in (source, target):
            if not isinstance(end, Quantity):
                raise TypeError(
                    f"cannot connect {end!r} in {self.path}: it is no port; "
                    "give ports of blocks: d.connect(a.y, b.u)")
        self._core.connect(source, target)
        self._changed()

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Part) and not name.startswith("_"):
            self.add(value, name)
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        parts = self.__dict__.get("_parts", {})
        if name in parts:
            return parts[name]
        raise _no_attribute(
            self.path if "_core" in self.__dict__ else type(self).__name__,
            "part or quantity", name,
            [*parts, *self.__dict__.get("_names", ())])

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._parts]


class FlatBlock(Part):
    """A block of the library or of a file; its quantities are attributes."""

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__.get("_names", ())
        if name in names:
            return self._quantity(name)
        raise _no_attribute(type(self).__name__, "quantity", name, names)

    def __setattr__(self, name: str, value: Any) -> None:
        self._set(name, value)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._names]


def _part_of(thing: Any) -> FlatBlock:
    from orrery.model import Model
    if not isinstance(thing, Model):
        raise TypeError(
            f"cannot add {thing!r} to a diagram: it is of type "
            f"{type(thing).__name__}; give a block or a model of equations")
    part = FlatBlock()
    part._adopt_core(_orrery.BlockCore.of_model(thing._handle))
    return part
