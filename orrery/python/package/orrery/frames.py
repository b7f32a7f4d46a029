"""Results as tables of pandas and xarray."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence

import numpy as np

from orrery import display

if TYPE_CHECKING:
    from orrery.results import Result


def _names(result: "Result", names: Optional[Sequence[str]]
           ) -> Sequence[str]:
    if names is not None:
        return [names] if isinstance(names, str) else list(names)
    return [name for i, name in enumerate(result.names)
            if result._trajectory.info(i)["variability"] != "constant"]


def _column(result: "Result", name: str, pandas: Any) -> Any:
    """The values of a signal: numbers as they are, else in their type."""
    array = result[name]
    info = result._trajectory.info(result._index(name))
    if info["is_boolean"]:
        return array != 0
    literals = info["value_names"]
    if not literals or pandas is None:
        return array
    known = [text for text in literals if text]
    codes = np.array([known.index(text) if text else -1
                      for text in literals] + [-1])
    places = np.where((array >= 0) & (array < len(literals)), array,
                      len(literals))
    return pandas.Categorical.from_codes(codes[places.astype(int)], known)


def to_pandas(result: "Result", names: Optional[Sequence[str]]) -> Any:
    """See `Result.to_pandas`."""
    pandas = display.need("pandas", "to_pandas()")
    chosen = _names(result, names)
    columns = {name: _column(result, name, pandas) for name in chosen}
    frame = pandas.DataFrame(
        columns, index=pandas.Index(result.time, name="time"), copy=False)
    frame.attrs["units"] = {name: result.unit(name) for name in chosen}
    frame.attrs["descriptions"] = {
        name: result.description(name) for name in chosen}
    return frame


def to_xarray(result: "Result", names: Optional[Sequence[str]],
              unique: bool = False) -> Any:
    """See `Result.to_xarray`."""
    xarray = display.need("xarray", "to_xarray()")
    chosen = list(result.names) if names is None else _names(result, names)
    variables: Dict[str, Any] = {}
    for name in chosen:
        attributes = {"units": result.unit(name),
                      "long_name": result.description(name) or name}
        if result.is_constant(name):
            variables[name] = ((), result[name][0] if len(result.time)
                               else np.nan, attributes)
        else:
            variables[name] = ("time", _column(result, name, None), attributes)
    time = ("time", result.time, {"units": "s"})
    data = xarray.Dataset(variables, coords={"time": time},
                          attrs={"model": result.name})
    if unique and len(result.time):
        data = data.isel(time=np.append(np.diff(result.time) > 0, True))
    return data
