"""Functions of Python that cannot be traced, in equations.

>>> import orrery
>>> import numpy as np
>>> lift = orrery.opaque(lambda a: np.interp(a, [0, 0.2, 0.4], [0, 1.1, 0.9]))
>>> class Wing(orrery.Block):
...     a, lift = orrery.State(0.0), orrery.Output()
...     def equations(self):
...         yield orrery.der(self.a) == 0.1
...         yield self.lift == lift(self.a)
"""
from __future__ import annotations

import functools
from typing import Any, Callable

from orrery import _orrery


class Opaque:
    """A function of numbers that equations may call; made by `opaque`."""

    calls = 0  # Counts calls of all functions, by formulas.

    def __init__(self, function: Callable[..., Any], outputs: int) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.outputs = outputs

    def __call__(self, *arguments: Any) -> Any:
        if not any(_orrery.formulas.is_formula(a) for a in arguments):
            return self.function(*arguments)
        Opaque.calls += 1
        name = getattr(self.function, "__name__", type(self.function).__name__)
        results = _orrery.call_opaque(
            self.function, name, self.outputs, *arguments)
        return results[0] if self.outputs == 1 else results


def opaque(function: Callable[..., Any], outputs: int = 1) -> Opaque:
    """Makes a function of numbers one that equations may call.

    It takes a float for each argument, and one for each element of an array;
    it returns `outputs` numbers. It must have no side effects. Its derivatives
    are found by differences. Python calls it in every step: such a model runs
    slowly, and its sweeps do not run in parallel.

    >>> opaque(lambda x, y: (x + y, x * y), outputs=2)(3.0, 4.0)
    (7.0, 12.0)
    """
    if not callable(function):
        raise TypeError(f"cannot make an opaque function of {function!r}: "
                        "it cannot be called")
    if outputs < 1:
        raise ValueError(f"cannot make a function of {outputs} outputs; give "
                         "1 or more")
    return Opaque(function, outputs)
