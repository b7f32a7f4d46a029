"""The quantities of a model: parameters, states, inputs, all variables."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Tuple

import numpy as np

from orrery import display
from orrery.errors import ArgumentError, UnknownNameError
from orrery.values import hint


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A quantity of a model, scalar or array, as its author declared it.

    `value` is what it has before a run: of a parameter its value, of a state
    its start; None where the model computes it. It is a float, int, bool or
    the name of a literal; of an array, a numpy array of its `shape`. `min`
    and `max` are None where the model has no bound.
    """

    name: str
    value: Any
    unit: str = ""
    min: Any = None
    max: Any = None
    description: str = ""
    kind: str = "parameter"
    type: str = "Real"
    shape: Tuple[int, ...] = ()
    literals: Tuple[str, ...] = ()
    is_final: bool = False
    is_structural: bool = False

    def _repr_html_(self) -> str:
        return Quantities({self.name: self})._repr_html_()


class Quantities(Mapping[str, Quantity]):
    """Quantities by name, in the order of the model; a table in notebooks.

    >>> import orrery
    >>> model = orrery.modelica('''
    ...     model M
    ...       parameter Real k(unit="1/s") = 2 "Rate";
    ...       Real x = k*time;
    ...     end M;''')
    >>> model.parameters
    k = 2 1/s  # Rate
    >>> model.parameters["k"].value, list(model.variables)
    (2.0, ['k', 'x'])
    """

    def __init__(self, quantities: Dict[str, Quantity],
                 what: str = "quantity") -> None:
        self._quantities = quantities
        self._what = what

    def __getitem__(self, name: str) -> Quantity:
        try:
            return self._quantities[name]
        except KeyError:
            pass
        raise UnknownNameError(f"no {self._what} '{name}'"
                               + hint(str(name), self._quantities))

    def __iter__(self) -> Iterator[str]:
        return iter(self._quantities)

    def __len__(self) -> int:
        return len(self._quantities)

    def __repr__(self) -> str:
        return "\n".join(_line(its) for its in self.values()) or "none"

    def _ipython_key_completions_(self) -> Sequence[str]:
        return list(self._quantities)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each, and the columns of `Quantity`."""
        pandas = display.need("pandas", "to_pandas()")
        rows = [dataclasses.asdict(its) for its in self.values()]
        frame = pandas.DataFrame(rows)
        return frame.set_index("name") if len(rows) else frame

    def _repr_html_(self) -> str:
        return display.table(
            ["name", "value", "unit", "min", "max", "description"],
            [[its.name, _shown(its.value), its.unit, _shown(its.min),
              _shown(its.max), its.description] for its in self.values()])


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def _line(its: Quantity) -> str:
    text = f"{its.name} = {_shown(its.value)}" + (
        f" {its.unit}" if its.unit else "")
    return text + (f"  # {its.description}" if its.description else "")


def _value_of(info: Mapping[str, Any], numbers: Optional[Sequence[float]]
              ) -> Any:
    """Numbers, row by row, as the value of a quantity."""
    if not numbers or (not info["shape"] and np.isnan(numbers[0])
                       and info["kind"] not in ("parameter", "constant")):
        return None
    array = np.array(numbers, float)
    if info["shape"]:
        if array.size != int(np.prod(info["shape"])):
            return None
        array.flags.writeable = False
        return array.reshape(info["shape"])
    return _scalar(info, float(array[0]))


def _scalar(info: Mapping[str, Any], value: float) -> Any:
    if info["literals"] and 1 <= value <= len(info["literals"]):
        return info["literals"][int(value) - 1]
    if info["type"] == "Boolean":
        return value != 0
    if info["type"] == "Integer" and np.isfinite(value):
        return int(value)
    return value


def lasting(handle: Any, settings: Sequence[Tuple[str, str]]
            ) -> Dict[str, float]:
    """Those of the settings that a model was loaded with which hold in its
    runs, as they do not shape its equations.

    Raises:
        ArgumentError: the model has no such quantity.
    """
    known = {info["name"]: info for info in handle.variables()}
    texts = []
    strings = handle.strings()
    for name, text in settings:
        if name in strings:
            continue  # It is a part of the model.
        written = handle.with_literals(name)
        whole = written if written in known else written.rpartition("[")[0]
        if whole not in known:
            raise ArgumentError(
                f"cannot load {handle.name} with '{name}': it has no such "
                "quantity" + hint(name, known))
        if not known[whole]["is_structural"]:
            texts.append((name, text))
    return dict(handle.read(texts)) if texts else {}


def with_settings(info: Mapping[str, Any], settings: Mapping[str, float]
                  ) -> Mapping[str, Any]:
    """The same with the values that settings by names of scalars give it."""
    name, numbers = info["name"], info["values"]
    if not settings or not numbers:
        return info
    names = [name] if not info["shape"] else [
        f"{name}[{','.join(str(i + 1) for i in place)}]"
        for place in np.ndindex(*info["shape"])]
    if len(names) != len(numbers):
        return info
    return {**info, "values": [settings.get(its, number) for its, number
                               in zip(names, numbers)]}


def quantity_of(info: Mapping[str, Any]) -> Quantity:
    """A quantity from what the extension tells about it."""
    return Quantity(
        name=info["name"], value=_value_of(info, info["values"]),
        unit=info["unit"], min=_value_of(info, info.get("min")),
        max=_value_of(info, info.get("max")),
        description=info["description"], kind=info["kind"],
        type=info.get("enumeration", info["type"]), shape=info["shape"],
        literals=tuple(info["literals"]), is_final=info["is_final"],
        is_structural=info["is_structural"])
