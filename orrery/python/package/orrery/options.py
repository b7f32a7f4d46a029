"""The options of a run, from what users write to what the engines take."""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, Mapping

import numpy as np

from orrery import tables, values
from orrery._extension import _orrery
from orrery.errors import ArgumentError


def _flag(value: Any, what: str) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise TypeError(f"cannot take {value!r} for '{what}': give True or False")


def _text(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"cannot take {value!r} for '{what}': give a text")


def _limit(bits: int) -> Callable[[Any, str], int]:
    def take(value: Any, what: str) -> int:
        its = values.whole(value, what)
        if abs(its) >> bits:
            raise ArgumentError(f"cannot take {its} for '{what}': give a "
                                f"number below 2**{bits}")
        return its
    return take


def _input_option(value: Any, what: str) -> tables.Columns:
    return tables.inputs_of(value, what)


_TAKE: Dict[str, Callable[[Any, str], Any]] = {
    "stop": values.seconds,
    "start": values.seconds,
    "tolerance": values.number,
    "absolute_tolerance": values.number,
    "method": _text,
    "step": values.seconds,
    "interval": values.seconds,
    "output_times": tables.times_of,
    "step_times": tables.times_of,
    "max_step": values.seconds,
    "max_steps": _limit(63),
    "max_consecutive_events": _limit(31),
    "sliding": _flag,
    "code": _text,
    "inputs": _input_option,
    "sensitivities": values.names,
    "record": values.names,
    "follow": values.names,
}


def collect(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Those of the options that are given, in the types of the extension.

    Raises:
        TypeError: a value is of another type than its option.

    >>> collect({"stop": "1 min", "tolerance": None, "record": "x"})
    {'stop': 60.0, 'record': ['x']}
    """
    return {name: _TAKE[name](value, name)
            for name, value in options.items() if value is not None}


#: The options of a run besides the values of its model.
RUN_OPTIONS = tuple(_TAKE) + ("until", "check", "progress", "save")
#: Those that a run has that goes on step by step.
STEP_OPTIONS = tuple(_TAKE)


# Names of options in other programs.
_OTHER_NAMES = {
    "atol": "absolute_tolerance", "dt": "step", "end": "stop",
    "job": "jobs", "maximise": "maximize", "minimise": "minimize",
    "n": "runs", "n_jobs": "jobs", "njobs": "jobs", "outputs": "record",
    "rtol": "tolerance", "samples": "runs", "solver": "method",
    "start_time": "start", "stop_time": "stop", "t_end": "stop",
    "t_stop": "stop", "threads": "jobs", "tol": "tolerance",
    "workers": "jobs"}


def nearest_option(name: str, known: Iterable[str]) -> str:
    """The option that `name` is likely to mean; empty if there is none.

    >>> nearest_option("tol", RUN_OPTIONS), nearest_option("k", RUN_OPTIONS)
    ('tolerance', '')
    """
    options = [its for its in known if its != name]
    other = _OTHER_NAMES.get(name, "")
    return other if other in options else str(
        _orrery.nearest(name, options))


def refuse_option(name: str, known: Iterable[str], function: str) -> None:
    """Raises a TypeError if `name` is likely an option that is misspelt."""
    if name in RUN_OPTIONS and name not in known:
        raise TypeError(f"{function}() has no option '{name}' here: it is one "
                        "of Model.run()")
    nearest = nearest_option(name, known)
    if nearest:
        raise TypeError(f"{function}() has no option '{name}', and the model "
                        f"no such quantity; did you mean '{nearest}'?")
