"""What equations yield, and how the extension reads it."""
from __future__ import annotations

import inspect
import linecache
from types import FrameType, GeneratorType
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from orrery import _orrery
from orrery._orrery import Equation, Quantity

if TYPE_CHECKING:
    from orrery.block import Block


class Statement:
    """What equations yield besides `left == right`."""

    def __init__(self, kind: str, first: Any, second: Any) -> None:
        self.kind = kind
        self.first = first
        self.second = second


class When:
    """A condition of an event; see `when`."""

    def __init__(self, condition: Any) -> None:
        self.condition = condition

    def set(self, *places: Any, **values: Any) -> _Assignments:
        """Says what is set at the event.

        :param places: a quantity or an element of one, then its value.
        :param values: values by the names of quantities.
        """
        if len(places) % 2:
            raise TypeError("set takes quantities and values in turn: "
                            "set(self.x[0], 1.0, self.n, self.n + 1)")
        pairs = list(zip(places[::2], places[1::2]))
        return _Assignments(self.condition, pairs, values)


class _Assignments(Statement):
    def __init__(self, condition: Any, pairs: list[Any],
                 values: dict[str, Any]) -> None:
        super().__init__("when", condition, pairs)
        self.values = values


def when(condition: Any) -> When:
    """An event: an `Event`, a `Clock`, or that a condition comes to hold.

    `yield when(self.angle > 1.5).set(rate=-0.8 * self.rate)` gives states and
    discrete quantities new values, from those just before the event.

    >>> import orrery
    >>> class Sawtooth(orrery.Block):
    ...     x = orrery.State(0.0)
    ...     def equations(self):
    ...         yield orrery.der(self.x) == 1
    ...         yield orrery.when(self.x > 1).set(x=0)
    """
    return When(condition)


def assert_(condition: Any, message: str) -> Statement:
    """Ends the run with an error where the condition does not hold.

    >>> import orrery
    >>> class Tank(orrery.Block):
    ...     level = orrery.State(1.0)
    ...     def equations(self):
    ...         yield orrery.der(self.level) == -0.1
    ...         yield orrery.assert_(self.level > 0, "the tank is empty")
    """
    return Statement("assert", condition, message)


def terminate(condition: Any, message: str = "") -> Statement:
    """Ends the run, completed, where the condition comes to hold.

    >>> import orrery
    >>> class Fall(orrery.Block):
    ...     h = orrery.State(5.0)
    ...     def equations(self):
    ...         yield orrery.der(self.h) == -9.81 * self.time
    ...         yield orrery.terminate(self.h < 0, "landed")
    """
    return Statement("terminate", condition, message)


# Tracing -------------------------------------------------------------------

_FORM = "yield der(self.x) == ..., self.y == ..., or when(...).set(...)"
_sources: dict[str, tuple[list[str], Any]] = {}


def _source_of(filename: str) -> Any:
    lines = linecache.getlines(filename)
    known = _sources.get(filename)
    if known is None or known[0] != lines:
        known = (lines, _orrery.SourceFile(filename, "".join(lines)))
        _sources[filename] = known
    return known[1]


def _innermost(generator: Any) -> FrameType | None:
    while isinstance(generator.gi_yieldfrom, GeneratorType):
        generator = generator.gi_yieldfrom
    frame: FrameType | None = generator.gi_frame
    return frame


def equations_of(block: Block) -> Iterator[tuple[Any, int, str, Any, Any]]:
    """The statements of a block with the source file and line of each."""
    function = block.equations
    code = inspect.unwrap(function).__code__
    home = (_source_of(code.co_filename), code.co_firstlineno)
    items = function()
    where = f"{code.co_filename}:{code.co_firstlineno}: equations of {block!r}"
    if isinstance(items, (str, bytes)) or not isinstance(items, Iterable):
        raise TypeError(f"{where} give {items!r}; state them by yield: "
                        + _FORM)
    for item in items:
        place = home
        if isinstance(items, GeneratorType):
            frame = _innermost(items)
            if frame is not None:
                place = (_source_of(frame.f_code.co_filename), frame.f_lineno)
                where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        if isinstance(item, Equation):
            yield (*place, "equation", *item.sides)
        elif isinstance(item, Statement):
            second = item.second
            if isinstance(item, _Assignments):
                second = item.second + [
                    (block._target(name), value)
                    for name, value in item.values.items()]
            yield (*place, item.kind, item.first, second)
        else:
            raise TypeError(f"{where}: cannot take {_what(item)} as an "
                            f"equation of {block._core.path}; {_FORM}")
    yield (*home, "end", None, None)


def place_of(traceback: Any) -> tuple[Any, int]:
    """The source file and the line of a block that raised an exception."""
    place = traceback
    while traceback is not None:
        module = str(traceback.tb_frame.f_globals.get("__name__", ""))
        if not module.startswith(("orrery.", "numpy.")):
            place = traceback
        traceback = traceback.tb_next
    code = place.tb_frame.f_code
    return _source_of(code.co_filename), place.tb_lineno


def _what(item: Any) -> str:
    if isinstance(item, When):
        return "when(...) without .set(...)"
    if isinstance(item, tuple):
        return f"a tuple of {len(item)}"
    if isinstance(item, (Quantity, _orrery.Expr)):
        return f"the formula {item!r} without =="
    return repr(item)
