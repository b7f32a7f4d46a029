"""Tables that users give: inputs over time, measured data, points."""
from __future__ import annotations

from typing import (
    TYPE_CHECKING, Any, Dict, List, Mapping, Sequence, Tuple)

import numpy as np

from orrery import values
from orrery._extension import _orrery
from orrery.errors import ArgumentError

if TYPE_CHECKING:
    import numpy.typing as npt

    import pandas

    Array = npt.NDArray[np.float64]
    Columns = Tuple[str, List[Tuple[str, str, Array]]]


def times_of(value: Any, what: str) -> Array:
    """Several times, or one, in seconds."""
    if isinstance(value, (str, int, float)):
        value = [value]
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        return value.astype(float)
    return np.array([values.seconds(time, what) for time in value], float)


def inputs_of(value: Any, what: str = "inputs") -> Columns:
    """Inputs over time as a name and columns (name, unit, numbers).

    Args:
        value: the name of a CSV file; a mapping with a column "time" and one
            for each input, all of one length; or a DataFrame. Its index is
            the time if it is called "time" or has floats or timedeltas, and
            there is no column "time". A column `T [degC]` is converted to
            the unit of the input `T`.

    Raises:
        ArgumentError: columns differ in length, or there is no time.

    >>> inputs_of({"time": [0, 1], "u": [2, 3]})[1][1][2]
    array([2., 3.])
    """
    if values.is_path(value):
        file = values.path(value)
        return file, _orrery.read_table(file)
    if hasattr(value, "columns") and hasattr(value, "index"):
        return f"the DataFrame of {what}", _columns_of_frame(value)
    if not isinstance(value, Mapping):
        raise TypeError(f"cannot take {type(value).__name__} for '{what}': "
                        "give the name of a CSV file, a dict of columns with "
                        "\"time\", or a DataFrame")
    if "time" not in value:
        raise ArgumentError(
            f"cannot take {what} from a dict without a column 'time': give "
            "the times of its rows, {\"time\": [0, 1], \"u\": [0, 5]}"
            + ("; an input that is constant is set as a parameter is"
               if what == "inputs" else ""))
    return f"the {what}", columns_of(value)


def _columns_of_frame(frame: "pandas.DataFrame"
                      ) -> List[Tuple[str, str, Array]]:
    columns = {str(name): frame[name].to_numpy() for name in frame.columns}
    if "time" not in columns:
        columns = {"time": _times_in_index(frame.index), **columns}
    return columns_of(columns)


def _times_in_index(index: "pandas.Index") -> Any:
    """The times in the index of a DataFrame without a column of them.

    Raises:
        ArgumentError: it counts rows, or has dates.
    """
    if index.dtype.kind == "m":  # Times since the start.
        return index.total_seconds().to_numpy()
    if index.dtype.kind == "M":
        raise ArgumentError(
            "cannot take the dates in the index of the DataFrame for times: "
            "give times since the start, frame.index - frame.index[0]")
    if index.dtype.kind == "f" or index.name == "time":
        return index.to_numpy()
    raise ArgumentError(
        "cannot take the index of the DataFrame for times, as it may count "
        "rows: give a column 'time', or name the index so by "
        "frame.rename_axis(\"time\")")


def _numbers(column: Any, name: str) -> Array:
    try:
        return np.asarray(column, float)
    except (TypeError, ValueError):
        row, value = _first_without_number(column)
        raise ArgumentError(f"cannot take a table: column '{name}' has "
                            f"{value!r} in row {row}, which is no number"
                            ) from None


def _first_without_number(column: Any) -> Tuple[int, Any]:
    """The row, from 1, of the first value that is no number, and the value."""
    for row, value in enumerate(np.atleast_1d(np.asarray(column, object)), 1):
        try:
            np.asarray(value, float)
        except (TypeError, ValueError):
            return row, value
    return 1, column


def columns_of(columns: Mapping[str, Any]
               ) -> List[Tuple[str, str, Array]]:
    """Columns (name, unit, numbers) from columns by "name" or "name [unit]".

    Raises:
        ArgumentError: they differ in length, or have no numbers.
    """
    result = []
    for title, column in columns.items():
        name, bracket, unit = str(title).partition(" [")
        numbers = (times_of(column, "time") if name == "time" and not bracket
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


def points_of(points: Any) -> Columns:
    """Points of a sweep, a row for each run, as a name and columns.

    Args:
        points: a DataFrame, a dict of columns, or a list of dicts.

    Raises:
        ArgumentError: there is no point, or a number is missing.
        TypeError: it is none of these.

    >>> points_of([{"k": 1, "h": 2}, {"k": 3, "h": 4}])[1][0][2]
    array([1., 3.])
    """
    if hasattr(points, "columns"):
        points = {name: points[name].to_numpy() for name in points.columns}
    elif isinstance(points, (list, tuple)):
        points = _columns_of_rows(points)
    if not isinstance(points, Mapping):
        raise TypeError(f"cannot take {type(points).__name__} for 'points': "
                        "give a CSV file, a DataFrame, a dict of columns or a "
                        "list of dicts")
    columns = columns_of(points) if points else []
    if not columns or not len(columns[0][2]):
        raise ArgumentError("cannot sweep over 'points': there is no row; "
                            "give one for each run")
    for name, _, numbers in columns:
        for row in np.flatnonzero(np.isnan(numbers)):
            raise ArgumentError(f"cannot sweep over 'points': column '{name}' "
                                f"has no number in row {row + 1}; give one, "
                                "or drop the row")
    return "points", columns


def _columns_of_rows(rows: Sequence[Any]) -> Dict[str, List[Any]]:
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError(f"cannot take {row!r} for row {i + 1} of "
                            "'points': give a dict, {\"name\": value}")
        if row.keys() != rows[0].keys():
            raise ArgumentError(
                f"cannot sweep over 'points': row {i + 1} has values of "
                f"{', '.join(row)}, and row 1 of {', '.join(rows[0])}; give "
                "all rows the same names")
    return {name: [row[name] for row in rows]
            for name in (rows[0] if rows else ())}
