"""Functions of formulas.

In the equations of a block they make formulas, anywhere else numbers. The
functions of numpy do the same in equations: `np.sin(self.angle)`.

>>> import orrery
>>> round(orrery.sin(0.5), 9)
0.479425539
>>> orrery.where(2 > 1, 10.0, 20.0)
10.0
"""
from __future__ import annotations

import functools
import math
from typing import Any, Callable

import numpy as np

from orrery import _orrery
from orrery._orrery import Equation, Expr, Quantity

_make = _orrery.formulas
_is_formula = _make.is_formula


def _function(name: str, of_arrays: Callable[..., Any], doc: str) -> Any:
    make = getattr(_make, name)

    def function(*arguments: Any) -> Any:
        if any(isinstance(argument, np.ndarray) for argument in arguments):
            return of_arrays(*arguments)
        return make(*arguments)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _of_numpy(name: str, doc: str) -> Any:
    return _function(name, getattr(np, name), doc)


sqrt = _of_numpy("sqrt", "The square root.\n\n>>> sqrt(9.0)\n3.0")
exp = _of_numpy("exp", "e to a power.\n\n>>> exp(0.0)\n1.0")
log = _of_numpy("log", "The natural logarithm.\n\n>>> log(1.0)\n0.0")
log10 = _of_numpy(
    "log10", "The logarithm to base 10.\n\n>>> log10(100.0)\n2.0")
sin = _of_numpy("sin", "The sine of an angle in rad.\n\n>>> sin(0.0)\n0.0")
cos = _of_numpy("cos", "The cosine of an angle in rad.\n\n>>> cos(0.0)\n1.0")
tan = _of_numpy("tan", "The tangent of an angle in rad.\n\n>>> tan(0.0)\n0.0")
arcsin = asin = _of_numpy(
    "arcsin", "The angle, in rad, of a sine.\n\n>>> asin(0.0)\n0.0")
arccos = acos = _of_numpy(
    "arccos", "The angle, in rad, of a cosine.\n\n>>> acos(1.0)\n0.0")
arctan = atan = _of_numpy(
    "arctan", "The angle, in rad, of a tangent.\n\n>>> atan(0.0)\n0.0")
arctan2 = atan2 = _of_numpy(
    "arctan2", "The angle of the point (x, y): `atan2(y, x)`.\n\n"
    ">>> atan2(0.0, 1.0)\n0.0")
sinh = _of_numpy("sinh", "The hyperbolic sine.\n\n>>> sinh(0.0)\n0.0")
cosh = _of_numpy("cosh", "The hyperbolic cosine.\n\n>>> cosh(0.0)\n1.0")
tanh = _of_numpy("tanh", "The hyperbolic tangent.\n\n>>> tanh(0.0)\n0.0")
sign = _of_numpy("sign", "-1, 0 or 1.\n\n>>> sign(-2.5)\n-1.0")
floor = _of_numpy(
    "floor", "The greatest whole number not above.\n\n>>> floor(2.5)\n2.0")
ceil = _of_numpy(
    "ceil", "The least whole number not below.\n\n>>> ceil(2.5)\n3.0")
minimum = _of_numpy(
    "minimum", "The lesser of two.\n\n>>> minimum(1.0, 2.0)\n1.0")
maximum = _of_numpy(
    "maximum", "The greater of two.\n\n>>> maximum(1.0, 2.0)\n2.0")
mod = _of_numpy(
    "mod", "The rest of a division rounded down, as %.\n\n"
    ">>> mod(-1.0, 3.0)\n2.0")
rem = _function(
    "fmod", np.fmod,
    "The rest of a division rounded toward zero.\n\n>>> rem(-4.0, 3.0)\n-1.0")
where = _function(
    "where", np.where,
    "`where(condition, a, b)` is a where the condition holds, else b.\n\n"
    ">>> where(1 < 2, 3.0, 4.0)\n3.0")
and_ = _function(
    "and_", np.logical_and,
    "True if both hold.\n\n>>> and_(True, False)\nFalse")
or_ = _function(
    "or_", np.logical_or,
    "True if one holds.\n\n>>> or_(True, False)\nTrue")
not_ = _function(
    "not_", np.logical_not,
    "True if it does not hold.\n\n>>> not_(True)\nFalse")


def der(state: Any) -> Any:
    """The time derivative of a state, or of a part of one.

    >>> import orrery
    >>> class Decay(orrery.Block):
    ...     x = orrery.State(1.0)
    ...     def equations(self):
    ...         yield orrery.der(self.x) == -self.x
    """
    return _make.der(state)


def pre(quantity: Any) -> Any:
    """The value of a quantity just before an event.

    >>> import orrery
    >>> class Toggle(orrery.Block):
    ...     on = orrery.Discrete(False)
    ...     def equations(self):
    ...         yield orrery.when(orrery.sample(1, 1)).set(
    ...             on=orrery.not_(orrery.pre(self.on)))
    """
    return _make.pre(quantity)


def change(quantity: Any) -> Any:
    """True in the events in which a quantity of equations changes.

    >>> import orrery
    >>> class Counting(orrery.Block):
    ...     on, n = orrery.Input(type=bool), orrery.Discrete(0)
    ...     def equations(self):
    ...         yield orrery.when(orrery.change(self.on)).set(n=self.n + 1)
    """
    if isinstance(quantity, Quantity) and quantity.kind == "discrete":
        raise ValueError(
            f"cannot see a change of {quantity.path}: handlers set it, and "
            "its value before is theirs too; count where you set it, or "
            "handle that it becomes true: when(self.on)")
    return _make.not_equal(quantity, _make.pre(quantity))


def no_event(formula: Any) -> Any:
    """The formula; its jumps and kinks are no events.

    >>> import orrery
    >>> class Flow(orrery.Block):
    ...     p = orrery.State(-1.0)
    ...     def equations(self):
    ...         yield orrery.der(self.p) == orrery.no_event(abs(self.p))
    """
    return _make.no_event(formula)


def sample(start: Any, interval: Any) -> Any:
    """A condition that is true at start, start + interval and so on, in s.

    >>> import orrery
    >>> class Ticks(orrery.Block):
    ...     n = orrery.Discrete(0)
    ...     def equations(self):
    ...         yield orrery.when(orrery.sample(0, 0.5)).set(n=self.n + 1)
    """
    return _make.sample(start, interval)


def delayed(value: Any, by: Any, most: float | None = None) -> Any:
    """The value as it was `by` seconds ago, at first its value at the start.

    A delay that varies needs `most`, its greatest value.

    >>> import orrery
    >>> class Echo(orrery.Block):
    ...     x, y = orrery.State(1.0), orrery.Output()
    ...     def equations(self):
    ...         yield orrery.der(self.x) == -self.x
    ...         yield self.y == orrery.delayed(self.x, 0.5)
    """
    if most is None:
        if _is_formula(by):
            raise ValueError(
                "cannot delay by a formula without a bound; give the greatest "
                "delay: delayed(value, by, most)")
        most = float(by)
    return _make.delay(value, by, most)


def initial(equation: Any = None) -> Any:
    """An equation for the start alone, or, without one, its condition.

    >>> import orrery
    >>> class Start(orrery.Block):
    ...     x = orrery.State(1.0, fixed=False)
    ...     def equations(self):
    ...         yield orrery.der(self.x) == 2 - self.x**3
    ...         yield orrery.initial(orrery.der(self.x) == 0)
    """
    if equation is None:
        return _make.symbol_of_run("initial")
    from orrery.tracing import Statement
    if not isinstance(equation, Equation):
        raise TypeError(
            f"cannot take {equation!r} as an initial equation; write "
            "initial(der(self.x) == 0)")
    return Statement("initial", *equation.sides)


def terminal() -> Any:
    """A condition that is true in the last event of a run.

    >>> import orrery
    >>> class Total(orrery.Block):
    ...     x, end = orrery.State(0.0), orrery.Discrete(0.0)
    ...     def equations(self):
    ...         yield orrery.der(self.x) == 1
    ...         yield orrery.when(orrery.terminal()).set(end=self.x)
    """
    return _make.symbol_of_run("terminal")


# Arrays and numpy ----------------------------------------------------------

def _objects(value: Any) -> Any:
    if isinstance(value, Quantity):
        value = value._formula()
    return value._objects() if isinstance(value, Expr) else value


def _compare(op: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compare(a: Any, b: Any) -> Any:
        return op(a if _is_formula(a) else float(a), b)
    return compare


_UFUNCS: dict[Any, Callable[..., Any]] = {
    np.add: _make.add, np.subtract: _make.subtract,
    np.multiply: _make.multiply, np.divide: _make.divide,
    np.power: _make.power, np.float_power: _make.power,
    np.negative: lambda a: -a, np.positive: lambda a: a,
    np.absolute: _make.abs, np.fabs: _make.abs, np.sign: _make.sign,
    np.sqrt: _make.sqrt, np.exp: _make.exp, np.log: _make.log,
    np.log10: _make.log10, np.sin: _make.sin, np.cos: _make.cos,
    np.tan: _make.tan, np.arcsin: _make.arcsin, np.arccos: _make.arccos,
    np.arctan: _make.arctan, np.sinh: _make.sinh, np.cosh: _make.cosh,
    np.tanh: _make.tanh, np.floor: _make.floor, np.ceil: _make.ceil,
    np.arctan2: _make.arctan2, np.minimum: _make.minimum,
    np.maximum: _make.maximum, np.fmin: _make.minimum,
    np.fmax: _make.maximum, np.mod: _make.mod, np.fmod: _make.fmod,
    np.floor_divide: lambda a, b: _make.floor(_make.divide(a, b)),
    np.square: lambda a: a * a, np.reciprocal: lambda a: 1 / a,
    np.cbrt: lambda a: _make.sign(a) * _make.power(_make.abs(a), 1 / 3),
    np.exp2: lambda a: _make.power(2.0, a),
    np.expm1: lambda a: _make.exp(a) - 1,
    np.log1p: lambda a: _make.log(1 + a),
    np.log2: lambda a: _make.log(a) / math.log(2),
    np.hypot: lambda a, b: _make.sqrt(_make.add(
        _make.multiply(a, a), _make.multiply(b, b))),
    np.arcsinh: lambda a: _make.log(a + _make.sqrt(a * a + 1)),
    np.arccosh: lambda a: _make.log(a + _make.sqrt(a * a - 1)),
    np.arctanh: lambda a: _make.log((1 + a) / (1 - a)) / 2,
    np.deg2rad: lambda a: a * (math.pi / 180),
    np.radians: lambda a: a * (math.pi / 180),
    np.rad2deg: lambda a: a * (180 / math.pi),
    np.degrees: lambda a: a * (180 / math.pi),
    np.less: _compare(lambda a, b: a < b),
    np.less_equal: _compare(lambda a, b: a <= b),
    np.greater: _compare(lambda a, b: a > b),
    np.greater_equal: _compare(lambda a, b: a >= b),
    np.equal: _compare(lambda a, b: a == b),
    np.not_equal: _make.not_equal,
    np.logical_and: _make.and_, np.logical_or: _make.or_,
    np.logical_not: _make.not_, np.matmul: _make.matmul,
}
_NUMBERS = (float, int, bool, np.generic)


def _elementwise(function: Callable[..., Any], plain: Any,
                 inputs: tuple[Any, ...]) -> Any:
    """The function for each element of arrays of objects."""
    def one(*arguments: Any) -> Any:
        if all(isinstance(a, _NUMBERS) for a in arguments):
            return plain(*arguments)
        return function(*arguments)

    result = np.frompyfunc(one, len(inputs), 1)(*map(_plain, inputs))
    return result.view(Vector) if isinstance(result, np.ndarray) else result


def _plain(value: Any) -> Any:
    value = _objects(value)
    return value.view(np.ndarray) if isinstance(value, Vector) else value


def _array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any,
                 **options: Any) -> Any:
    function = _UFUNCS.get(ufunc)
    if function is None or method != "__call__" or options:
        raise TypeError(
            f"cannot trace numpy.{ufunc.__name__}"
            f"{'' if method == '__call__' else '.' + method}: it has no "
            "formula here; write it by other functions, or make a function of "
            "numbers of it: orrery.opaque(f)")
    objects = any(isinstance(i, np.ndarray) and i.dtype == object
                  for i in inputs)
    if objects and ufunc is not np.matmul:
        return _elementwise(function, ufunc, inputs)
    return function(*inputs)


def _clip(a: Any, low: Any = None, high: Any = None, **_: Any) -> Any:
    if low is not None:
        a = np.maximum(a, low)
    return a if high is None else np.minimum(a, high)


def _reducing(name: str, pair: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction of all elements; of a formula, as a loop."""
    def reduce(a: Any, axis: Any = None, **options: Any) -> Any:
        if isinstance(a, Quantity):
            a = a._formula()
        if isinstance(a, Expr) and axis is None:
            return getattr(a, "_" + name)()
        a = _as_vector(a) if isinstance(a, Expr) else np.asarray(a)
        if axis is None:
            return functools.reduce(pair, a.view(Vector).ravel())
        rows = np.moveaxis(a, axis, 0).view(Vector)
        return functools.reduce(pair, rows)
    return reduce


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.where: lambda condition, a, b: (
        _elementwise(_make.where, np.where, (condition, a, b))
        if any(isinstance(i, np.ndarray) and i.dtype == object
               for i in (condition, a, b)) else _make.where(condition, a, b)),
    np.clip: _clip,
    np.sum: _reducing("sum", np.add), np.prod: _reducing("prod", np.multiply),
    np.min: _reducing("min", np.minimum), np.max: _reducing("max", np.maximum),
    np.amin: _reducing("min", np.minimum),
    np.amax: _reducing("max", np.maximum),
}


def _array_function(self: Any, function: Any, types: Any, arguments: Any,
                    options: Any) -> Any:
    known = _FUNCTIONS.get(function)
    if known is not None:
        return known(*arguments, **options)
    if any(issubclass(kind, Vector) for kind in types):
        return np.ndarray.__array_function__(
            self, function, [np.ndarray],
            _deep(arguments), {k: _deep(v) for k, v in options.items()})
    return function(*_deep(arguments),
                    **{k: _deep(v) for k, v in options.items()})


def _deep(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(_deep(item) for item in value)
    return _as_vector(value) if isinstance(value, (Expr, Quantity)) else value


def _as_vector(value: Any) -> Any:
    return _objects(value).view(Vector)


class Vector(np.ndarray):  # type: ignore[type-arg]
    """An array of formulas, on which the functions of numpy work."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any,
                        **options: Any) -> Any:
        function = _UFUNCS.get(ufunc)
        if (function is None or method != "__call__" or options
                or ufunc is np.matmul):
            plain = tuple(i.view(np.ndarray) if isinstance(i, Vector) else i
                          for i in inputs)
            result = getattr(ufunc, method)(*plain, **options)
            return result.view(Vector) if isinstance(
                result, np.ndarray) and result.dtype == object else result
        return _elementwise(function, ufunc, inputs)

    __array_function__ = _array_function  # type: ignore[assignment]


def _getitem(self: Any, key: Any) -> Any:
    keys = key if isinstance(key, tuple) else (key,)
    if all(isinstance(k, (int, np.integer)) for k in keys):
        return self._element(keys)
    return self._formula()[key]


def _length(self: Any) -> int:
    if not self.shape:
        raise TypeError(f"{self.path} is a scalar and has no length")
    return int(self.shape[0])


def _define(kind: Any) -> None:
    kind.__array_ufunc__ = _array_ufunc
    kind.__array_function__ = _array_function
    kind.__array__ = lambda self, dtype=None: _objects(self)
    kind.__floor__ = lambda self: _make.floor(self)
    kind.__ceil__ = lambda self: _make.ceil(self)
    kind.__floordiv__ = lambda a, b: _make.floor(a / b)
    kind.__rfloordiv__ = lambda a, b: _make.floor(b / a)
    kind.__pos__ = lambda a: a
    kind.__rand__ = lambda a, b: a & b
    kind.__ror__ = lambda a, b: a | b
    kind.ndim = property(lambda self: len(self.shape))
    kind.size = property(lambda self: math.prod(self.shape))
    kind.T = property(lambda self: _as_vector(self).T)
    kind.sum = _FUNCTIONS[np.sum]
    kind.prod = _FUNCTIONS[np.prod]
    for ufunc in (np.sqrt, np.exp, np.log, np.log10, np.sin, np.cos, np.tan,
                  np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh,
                  np.sign, np.log2, np.log1p, np.exp2, np.expm1, np.arcsinh,
                  np.arccosh, np.arctanh, np.cbrt, np.arctan2, np.hypot,
                  np.square, np.reciprocal, np.radians, np.degrees,
                  np.deg2rad, np.rad2deg, np.fabs):
        setattr(kind, getattr(ufunc, "__name__"), _method(ufunc))


def _method(ufunc: Any) -> Any:
    function = _UFUNCS[ufunc]
    return lambda self, *others: function(self, *others)


_define(Expr)
_define(Quantity)
for _kind, _name, _member in (
        (Expr, "min", _FUNCTIONS[np.min]), (Expr, "max", _FUNCTIONS[np.max]),
        (Quantity, "__getitem__", _getitem), (Quantity, "__len__", _length)):
    setattr(_kind, _name, _member)
