"""Initial value problems, with the interface of scipy.integrate.solve_ivp.

>>> import orrery
>>> sol = orrery.solve_ivp(lambda t, y: -0.5 * y, (0, 10), [2, 4, 8])
>>> bool(abs(sol.y[2, -1] - 8 * 2.718281828459045**-5) < 1e-3)
True
"""
from __future__ import annotations

import collections
import warnings
from typing import Any, Callable, Sequence

import numpy as np

from orrery import _orrery
from orrery.block import Block
from orrery.declarations import Discrete, Event, State
from orrery.formulas import Vector, der
from orrery.opaque_function import opaque
from orrery.tracing import terminate, when

# Methods of scipy and those in their place.
_METHODS = {"RK45": "dopri5", "RK23": "dopri5", "DOP853": "dop853",
            "Radau": "rodas", "BDF": "cvode-bdf", "LSODA": "auto"}
_MESSAGES = {
    0: "The solver successfully reached the end of the integration interval.",
    1: "A termination event occurred."}
_MOST_PROGRAMS = 64


class OpaqueWarning(UserWarning):
    """A function could not be traced and is called by Python in each step."""


class OdeResult(dict[str, Any]):
    """The fields of a solution, as attributes; see `solve_ivp`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        width = max(map(len, self))
        return "\n".join(f"{name.rjust(width)}: {value!r}"
                         for name, value in self.items())


class OdeSolution:
    """The solution between the steps, as a function of time.

    >>> import orrery
    >>> sol = orrery.solve_ivp(lambda t, y: [1], (0, 2), [0],
    ...                        dense_output=True)
    >>> round(sol.sol(0.75)[0], 9)
    0.75
    """

    def __init__(self, run: Any, sign: float, ts: Any) -> None:
        self._run = run
        self._sign = sign
        self.ts = ts
        self.t_min, self.t_max = min(ts[0], ts[-1]), max(ts[0], ts[-1])

    def __call__(self, t: Any) -> Any:
        times = np.asarray(t, dtype=float)
        values = self._run.at(np.atleast_1d(times) * self._sign)
        return values[:, 0] if times.ndim == 0 else values


class _Problem(Block):
    """dy/dt = f(t, y), with events at the zeros of g(t, y)."""

    def __init__(self, f: Callable[..., Any], n: int, events: Sequence[Any],
                 args: tuple[Any, ...], sign: float, nominal: Any) -> None:
        super().__init__()
        self.f, self.events, self.args, self.sign = f, events, args, sign
        self.n = n
        if nominal is None:
            self.y: Any = State(np.zeros(n))
        else:
            for i in range(n):
                setattr(self, f"y[{i + 1}]", State(nominal=nominal[i]))
        for i, event in enumerate(events):
            setattr(self, f"event{i + 1}", Event(_direction(event)))
        if any(_count(event) for event in events):
            self.counts: Any = Discrete(np.zeros(len(events)))

    def _state(self, i: int) -> Any:
        return self.y[i] if "y" in self._names else self[f"y[{i + 1}]"]

    def equations(self) -> Any:
        t = self.time * self.sign if self.sign < 0 else self.time
        y = np.empty(self.n, dtype=object).view(Vector)
        for i in range(self.n):
            y[i] = self._state(i)._formula()
        slopes = _flat(self.f(t, y, *self.args), self.n)
        for i in range(self.n):
            slope = -slopes[i] if self.sign < 0 else slopes[i]
            yield der(y[i]) == slope
        for i, event in enumerate(self.events):
            crossing = self[f"event{i + 1}"]
            yield crossing == _flat(event(t, y, *self.args), 1)[0]
            if _count(event):
                yield when(crossing).set(self.counts[i], self.counts[i] + 1)
                yield terminate(self.counts[i] >= _count(event))


def _flat(value: Any, wanted: int) -> Any:
    if isinstance(value, _orrery.Quantity):
        value = value._formula()
    if isinstance(value, _orrery.Expr):
        value = value._objects() if value.shape else [value]
    flat = np.empty(0, dtype=object)
    if isinstance(value, np.ndarray):
        flat = value.view(np.ndarray).ravel()
    else:
        items = list(value) if isinstance(value, (list, tuple)) else [value]
        flat = np.empty(len(items), dtype=object)
        for i, item in enumerate(items):
            if isinstance(item, np.ndarray) and item.size == 1:
                item = item.view(np.ndarray).ravel()[0]
            flat[i] = item
    if len(flat) != wanted:
        raise ValueError(f"cannot solve: the function gives {len(flat)} "
                         f"numbers for {wanted}")
    return flat


def _direction(event: Any) -> str:
    direction = getattr(event, "direction", 0)
    return ("rising" if direction > 0 else
            "falling" if direction < 0 else "either")


def _count(event: Any) -> int:
    return int(getattr(event, "terminal", 0) or 0)


_programs: collections.OrderedDict[bytes, Any] = collections.OrderedDict()


def _compiled(block: _Problem) -> Any:
    """The model of a problem, compiled; one that is known already if its
    formulas are the same."""
    model = _orrery.IvpModel(block._core)
    key = model.fingerprint()
    if key is None:  # It calls functions that cannot be compared.
        model.compile()
        return model
    if key in _programs:
        _programs.move_to_end(key)
        return _programs[key]
    model.compile()
    _programs[key] = model
    if len(_programs) > _MOST_PROGRAMS:
        _programs.popitem(last=False)
    return model


def _opaque_call(f: Callable[..., Any], args: tuple[Any, ...],
                 outputs: int) -> Callable[..., Any]:
    """f(t, y) as a function that Python is called for."""
    def numbers(t: float, *y: float) -> Any:
        return np.asarray(f(t, np.array(y), *args), dtype=float).ravel()

    numbers.__name__ = getattr(f, "__name__", "f")
    call = opaque(numbers, outputs)

    def formulas(t: Any, y: Any, *_: Any) -> Any:
        return call(t, *y)

    for name in ("direction", "terminal"):
        if hasattr(f, name):
            setattr(formulas, name, getattr(f, name))
    return formulas


def _trace(f: Callable[..., Any], n: int, events: Sequence[Any],
           args: tuple[Any, ...], sign: float, nominal: Any, t0: float,
           y0: Any) -> Any:
    try:
        return _compiled(_Problem(f, n, events, args, sign, nominal))
    except Exception as error:
        reason = error
    # It must work with numbers: else what it raises is the caller's mistake.
    size = np.asarray(f(t0, y0, *args), dtype=float).size
    if size != n:
        raise ValueError(f"cannot solve: the function gives {size} numbers "
                         f"for {n} in y0") from None
    for event in events:
        float(np.asarray(event(t0, y0, *args)).ravel()[0])
    warnings.warn(
        f"cannot trace {getattr(f, '__name__', f)!r}, so Python is called in "
        f"each step, which is slow: {str(reason).strip()}", OpaqueWarning,
        stacklevel=3)
    return _compiled(_Problem(
        _opaque_call(f, args, n), n,
        [_opaque_call(event, args, 1) for event in events], (), sign, nominal))


def _tolerances(atol: Any, n: int) -> tuple[float, Any]:
    array = np.asarray(atol, dtype=float)
    if array.ndim == 0:
        return float(array), None
    if array.shape != (n,):
        raise ValueError(f"cannot solve with an atol of shape {array.shape}: "
                         f"y0 has {n} elements; give one number or {n}")
    greatest = float(array.max())
    if greatest <= 0 or np.all(array == greatest):
        return greatest, None
    return greatest, np.maximum(array / greatest, 1e-300).tolist()


def solve_ivp(fun: Callable[..., Any], t_span: Sequence[float], y0: Any,
              method: str = "auto", t_eval: Any = None,
              dense_output: bool = False, events: Any = None,
              vectorized: bool = False, args: Any = None, *,
              rtol: float = 1e-3, atol: Any = 1e-6, max_step: float = np.inf,
              first_step: float | None = None, jac: Any = None,
              jac_sparsity: Any = None, min_step: float = 0,
              lband: Any = None, uband: Any = None,
              step: float | None = None) -> OdeResult:
    """Solves dy/dt = fun(t, y) from y0 over t_span, as scipy does.

    `fun` is called once, with formulas for t and y; its equations then run as
    native code with exact Jacobians. A function that cannot be traced is
    called in each step instead, with a warning.

    :param method: one of Orrery ("auto", "dopri5", "dop853", "taylor",
        "rodas", "cvode-bdf", "rk4", ...) or of scipy ("RK45", "Radau", ...).
    :param t_eval: times at which the solution is wanted; else each step.
    :param dense_output: gives `sol`, the solution as a function of time.
    :param events: functions g(t, y), whose zeros are found. `g.terminal`
        ends the run, `g.direction` says which crossings count.
    :param args: further arguments of `fun` and the events.
    :param jac, jac_sparsity, lband, uband: not needed, and not used.
    :param step: the step of a method with fixed steps.
    :returns: t, y, sol, t_events, y_events, nfev, njev, nlu, status, message,
        success.

    >>> import orrery
    >>> def fall(t, y): return [y[1], -9.81]
    >>> def ground(t, y): return y[0]
    >>> ground.terminal, ground.direction = True, -1
    >>> sol = orrery.solve_ivp(fall, (0, 10), [19.62, 0], events=ground)
    >>> sol.status, round(sol.t_events[0][0], 6)
    (1, 2.0)
    """
    t0, t1 = map(float, t_span)
    y0 = np.asarray(y0)
    if np.iscomplexobj(y0):
        raise NotImplementedError(
            "cannot solve for complex numbers; give their real and imaginary "
            "parts as elements of y0")
    if y0.ndim != 1:
        raise ValueError(f"cannot solve with y0 of shape {y0.shape}; give one "
                         "dimension")
    y0 = y0.astype(float)
    if args is not None and not isinstance(args, tuple):
        raise TypeError(f"cannot take {args!r} as args: give a tuple, such as "
                        "args=(2.5,)")
    functions = [events] if callable(events) else list(events or ())
    times = None if t_eval is None else _checked_times(t_eval, t0, t1)
    sign = -1.0 if t1 < t0 else 1.0
    absolute, nominal = _tolerances(atol, len(y0))
    model = _trace(fun, len(y0), functions, args or (), sign, nominal, t0, y0)
    run = model.solve(dict(
        start=sign * t0, stop=sign * t1, y0=y0.tolist(), rtol=rtol,
        atol=absolute, method=_METHODS.get(method, method), step=step,
        max_step=None if np.isinf(max_step) else max_step,
        interval=(None if step is not None else 0.0) if times is None
        or dense_output else abs(t1 - t0),
        times=[] if times is None else (sign * times).tolist(),
        follow=["y[*]"] if dense_output else []))
    return _result(run, sign, times, functions, events, dense_output)


def _checked_times(t_eval: Any, t0: float, t1: float) -> Any:
    times = np.asarray(t_eval, dtype=float)
    if times.ndim != 1:
        raise ValueError("cannot use t_eval: give one dimension")
    if np.any(times < min(t0, t1)) or np.any(times > max(t0, t1)):
        raise ValueError(
            f"cannot use t_eval: it has times outside of {t0} to {t1}")
    steps = np.diff(times)
    if np.any(steps <= 0 if t1 > t0 else steps >= 0):
        raise ValueError("cannot use t_eval: its times are not in the order "
                         "of t_span")
    return times


def _result(run: Any, sign: float, times: Any, functions: list[Any],
            events: Any, dense_output: bool) -> OdeResult:
    t, y = (run.steps() if times is None
            else run.rows_at((sign * times).tolist()))
    status = -1 if not run.is_complete else int(run.is_terminated)
    found = [run.events(f"event{i + 1}") for i in range(len(functions))]
    solution = None
    if dense_output:
        solution = OdeSolution(run, sign, sign * run.steps()[0])
    evaluations, jacobians = run.counts
    return OdeResult(
        message=_MESSAGES.get(status, run.message), success=status >= 0,
        status=status, t=sign * t, y=y, sol=solution,
        t_events=[sign * e[0] for e in found] if functions else None,
        y_events=[e[1].T for e in found] if functions else None,
        nfev=evaluations, njev=jacobians, nlu=0)
