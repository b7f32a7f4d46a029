"""The options of a run, from what users write to what the engines take."""
from __future__ import annotations

import os
from typing import (
    TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Tuple)

import numpy as np

from orrery import values
from orrery._extension import _orrery
from orrery.errors import ArgumentError

if TYPE_CHECKING:
    import numpy.typing as npt

    import pandas

    Array = npt.NDArray[np.float64]
    Columns = Tuple[str, List[Tuple[str, str, Array]]]

Inputs = Any  # A file, a mapping of columns, or a DataFrame.


def _flag(value: Any, what: str) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise TypeError(f"cannot take {value!r} for '{what}': give True or False")


def _text(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"cannot take {value!r} for '{what}': give a text")


def _times(value: Any, what: str) -> Array:
    if isinstance(value, (str, int, float)):
        value = [value]
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        return value.astype(float)
    return np.array([values.seconds(time, what) for time in value], float)


def inputs_of(value: Inputs, what: str = "inputs") -> Columns:
    """Inputs over time as a name and columns (name, unit, numbers).

    Args:
        value: the name of a CSV file; a mapping with a column "time" and one
            for each input, all of one length; or a DataFrame, whose index is
            the time unless it has a column "time". A column `T [degC]` is
            converted to the unit of the input `T`.

    Raises:
        ArgumentError: columns differ in length, or there is no time.

    >>> inputs_of({"time": [0, 1], "u": [2, 3]})[1][1][2]
    array([2., 3.])
    """
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value), _orrery.read_table(os.fspath(value))
    if hasattr(value, "columns") and hasattr(value, "index"):
        return "the DataFrame of inputs", _columns_of_frame(value)
    if not isinstance(value, Mapping):
        raise TypeError(f"cannot take {type(value).__name__} for '{what}': "
                        "give the name of a CSV file, a dict of columns with "
                        "\"time\", or a DataFrame")
    if "time" not in value:
        raise ArgumentError(
            "cannot take inputs from a dict without a column 'time': give the "
            "times of its rows, {\"time\": [0, 1], \"u\": [0, 5]}; an input "
            "that is constant is set as a parameter is")
    return "the inputs", columns_of(value)


def _columns_of_frame(frame: "pandas.DataFrame"
                      ) -> List[Tuple[str, str, Array]]:
    columns = {str(name): frame[name].to_numpy() for name in frame.columns}
    if "time" not in columns:
        index = frame.index
        if index.dtype.kind == "m":  # Times since the start.
            index = index.total_seconds()
        columns = {"time": index.to_numpy(), **columns}
    return columns_of(columns)


def _numbers(column: Any, name: str) -> Array:
    try:
        return np.asarray(column, float)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"cannot take a table: column '{name}' has "
                            f"something else than numbers: {error}") from None


def columns_of(columns: Mapping[str, Any]
               ) -> List[Tuple[str, str, Array]]:
    """Columns (name, unit, numbers) from columns by "name" or "name [unit]".

    Raises:
        ArgumentError: they differ in length, or have no numbers.
    """
    result = []
    for title, column in columns.items():
        name, bracket, unit = str(title).partition(" [")
        numbers = (_times(column, "time") if name == "time" and not bracket
                   else _numbers(column, name))
        if numbers.ndim != 1:
            raise ArgumentError(f"cannot take a table: column '{title}' has "
                                f"the shape {numbers.shape}; give one number "
                                "a row")
        result.append((name, unit.rstrip("]") if bracket else "", numbers))
    rows = len(result[0][2])
    for name, _, numbers in result:
        if len(numbers) != rows:
            raise ArgumentError(f"cannot take a table: column '{name}' has "
                                f"{len(numbers)} rows, and '{result[0][0]}' "
                                f"has {rows}; give all the same number")
    return result


def _limit(bits: int) -> Callable[[Any, str], int]:
    def take(value: Any, what: str) -> int:
        its = values.whole(value, what)
        if abs(its) >> bits:
            raise ArgumentError(f"cannot take {its} for '{what}': give a "
                                f"number below 2**{bits}")
        return its
    return take


def _input_option(value: Any, what: str) -> Columns:
    return inputs_of(value, what)


_TAKE: Dict[str, Callable[[Any, str], Any]] = {
    "stop": values.seconds,
    "start": values.seconds,
    "tolerance": values.number,
    "absolute_tolerance": values.number,
    "method": _text,
    "step": values.seconds,
    "interval": values.seconds,
    "output_times": _times,
    "step_times": _times,
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


def refuse_option(name: str, known: Iterable[str], function: str) -> None:
    """Raises a TypeError if `name` is likely an option that is misspelt."""
    if name in RUN_OPTIONS and name not in known:
        raise TypeError(f"{function}() has no option '{name}' here: it is one "
                        "of Model.run()")
    nearest = _orrery.nearest(name, list(known))
    if nearest:
        raise TypeError(f"{function}() has no option '{name}', and the model "
                        f"no such quantity; did you mean '{nearest}'?")
