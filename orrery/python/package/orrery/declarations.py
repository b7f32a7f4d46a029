"""The quantities, events and clocks that a class of blocks declares."""
from __future__ import annotations

import enum
from typing import Any, overload

import numpy as np

from orrery._orrery import Quantity


class Declaration:
    """A quantity of a block class, as its author declares it.

    :param value: a number, or one for each element of an array; for a state
        its start.
    :param unit: as in Modelica: "m/s2".
    :param shape: the number of elements per dimension; by default that of
        `value`.
    :param type: float, int or bool, or an IntEnum; by default float, and bool
        for a truth value.
    :param hidden: left out of results unless asked for.
    """

    kind = ""
    has_value = True

    def __init__(self, value: Any = 0.0, *, unit: str = "",
                 description: str = "", shape: Any = None,
                 min: float | None = None, max: float | None = None,
                 nominal: float | None = None, fixed: bool | None = None,
                 default: float | None = None, type: Any = None,
                 hidden: bool = False) -> None:
        self.value = value
        self.name = ""
        array = np.asarray(value)
        if shape is None:
            shape = array.shape
        self.shape = tuple(np.ravel(shape).astype(int).tolist())
        if type is None:
            type = bool if array.dtype.kind == "b" else float
        self.options = dict(
            unit=unit, description=description, min=min, max=max,
            nominal=nominal, fixed=fixed, default=default,
            type=_type_name(type), hidden=hidden)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, block: None, owner: type) -> Declaration: ...

    @overload
    def __get__(self, block: Any, owner: type) -> Quantity: ...

    def __get__(self, block: Any, owner: type) -> Any:
        return self if block is None else block._quantity(self.name)

    def __set__(self, block: Any, value: Any) -> None:
        block._set(self.name, value)

    def declare(self, core: Any, name: str) -> None:
        """Declares the quantity in a block of the engine.

        Raises:
            TypeError: a class that is derived from it does not begin it.
        """
        if not hasattr(self, "options"):
            raise TypeError(
                f"cannot declare '{name}': {type(self).__name__}.__init__ "
                "does not call super().__init__()")
        values = _numbers(self.value) if self.has_value else []
        core.declare(self.kind, name, self.shape, values, self.options)


def _type_name(kind: Any) -> str:
    if kind is bool:
        return "Boolean"
    if kind is float:
        return "Real"
    if kind is int or issubclass(kind, enum.IntEnum):
        return "Integer"
    raise TypeError(f"cannot declare a quantity of type {kind!r}; known: "
                    "float, int, bool and classes of enum.IntEnum")


def _numbers(value: Any) -> list[float]:
    numbers: list[float] = np.asarray(value, dtype=float).ravel().tolist()
    return numbers


class Parameter(Declaration):
    """A value that is set before a run and constant in it.

    >>> Parameter(1.5, unit="m", min=0).kind
    'parameter'
    """

    kind = "parameter"


class State(Declaration):
    """A quantity with a derivative and a start value.

    >>> State([1.0, 2.0, 3.0]).shape
    (3,)
    """

    kind = "state"


class Variable(Declaration):
    """An unknown of the equations that other blocks cannot read.

    >>> Variable(description="flow", unit="kg/s").kind
    'variable'
    """

    kind = "variable"


class Discrete(Declaration):
    """A quantity that changes only at events: `when(...).set(...)`.

    >>> Discrete(False).options["type"]
    'Boolean'
    """

    kind = "discrete"


class _Port(Declaration):
    has_value = False

    def __init__(self, **options: Any) -> None:
        shape = options.pop("shape", ())
        super().__init__(0.0, shape=shape, **options)


class Input(_Port):
    """A quantity with a value from outside of the block.

    :param default: its value where nothing is connected.

    >>> Input(unit="N.m", default=0).kind
    'input'
    """

    kind = "input"


class Output(_Port):
    """A quantity that other blocks can read.

    >>> Output(shape=3).shape
    (3,)
    """

    kind = "output"


class Event(Declaration):
    """An instant at which a function of the block crosses zero.

    The equations state the function, and perhaps what happens:

    >>> import orrery
    >>> class Ball(orrery.Block):
    ...     h, v = orrery.State(10.0), orrery.State(0.0)
    ...     impact = orrery.Event("falling")
    ...     def equations(self):
    ...         yield orrery.der(self.h) == self.v
    ...         yield orrery.der(self.v) == -9.81
    ...         yield self.impact == self.h
    ...         yield orrery.when(self.impact).set(v=-0.8 * self.v)

    :param direction: "rising", "falling" or "either".
    :param tolerance: how far beyond zero the function must go.
    """

    kind = "event"
    has_value = False

    def __init__(self, direction: str = "either", *,
                 tolerance: float = 0.0) -> None:
        super().__init__()
        self.options = dict(direction=direction, tolerance=tolerance)


class Clock(Declaration):
    """Instants at offset, offset + period and so on.

    >>> import orrery
    >>> class Count(orrery.Block):
    ...     clock, n = orrery.Clock(0.2), orrery.Discrete(0)
    ...     def equations(self):
    ...         yield orrery.when(self.clock).set(n=self.n + 1)

    :param period: s.
    :param end: of the ticks, s.
    :param before_start: ticks come before the offset as well.
    """

    kind = "clock"

    def __init__(self, period: float, *, offset: float = 0.0,
                 end: float | None = None,
                 before_start: bool = False) -> None:
        super().__init__(period)
        self.options = dict(offset=offset, end=end, before_start=before_start)
