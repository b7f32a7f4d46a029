"""The blocks of the library: `orrery.blocks.math.Gain(k=3)`.

Each package of the library is a module here: `Modelica.Blocks.Math` is
`orrery.blocks.math`, `Orrery.Blocks.Math` is `orrery.blocks.more_math`. Types
with names for values are here themselves: `orrery.blocks.Init.NoInit`.

>>> import orrery
>>> gain = orrery.blocks.math.Gain(k=3)
>>> gain.k.value
3.0
>>> "Gain" in dir(orrery.blocks.math)
True
"""
from __future__ import annotations

import enum
import inspect
import sys
import types
from typing import Any

import numpy as np

from orrery import _orrery
from orrery._orrery import Quantity
from orrery.block import FlatBlock, _nearest

_TYPES = ("Modelica.Blocks.Types.", "Orrery.Blocks.Types.")


class LibraryBlock(FlatBlock):
    """A block of the library. Its classes are in the modules of packages.

    Arguments are parameters of the block; "x.start" and other dotted names are
    given as `Block(**{"x.start": 1})`. Those left out have the library's own
    values.
    """

    _class_name = ""
    _parameters: dict[str, str] = {}  # The types of their values.

    def __init__(self, **arguments: Any) -> None:
        pairs = []
        for name, value in arguments.items():
            if "." not in name and name not in self._parameters:
                raise ValueError(
                    f"cannot make a {self._class_name} with '{name}': it has "
                    "no such parameter" + _nearest(name, self._parameters))
            pairs.append((name, _text(value, self._parameters.get(name, ""))))
        self._adopt_core(_orrery.BlockCore.modelica(self._class_name, pairs))


def _text(value: Any, value_type: str) -> str:
    """A value in Modelica's notation."""
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, str):
        if value_type == "String":
            quoted = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{quoted}"'
        if "." in value_type and value.isidentifier():
            return f"{value_type}.{value}"
        return value
    if isinstance(value, Quantity):
        value = value.value
    if isinstance(value, (list, tuple, np.ndarray)):
        items = ", ".join(_text(item, value_type) for item in value)
        return "{" + items + "}" if items else "fill(0, 0)"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))


def _line(field: tuple[Any, ...]) -> str:
    name, _, unit, value, meaning, condition, _ = field
    text = f"    {name}: {meaning or 'no description'}"
    text += f" [{unit}]" if unit else ""
    text += f"; otherwise {value}" if value else ""
    return text + (f"; only if {condition}" if condition else "")


def _make_class(full_name: str) -> type[LibraryBlock]:
    meaning, parameters, inputs, outputs, equations = (
        _orrery.describe_block(full_name))
    name = full_name.rpartition(".")[2]
    doc = [f"{meaning or name}.", "", f"{full_name}."]
    for title, fields in (("Parameters", parameters), ("Inputs", inputs),
                          ("Outputs", outputs)):
        if fields:
            doc += ["", title + ":", *map(_line, fields)]
    if equations:
        doc += ["", "Equations:", *("    " + text for text in equations)]
    known = {field[0].partition("[")[0]: field[1] for field in parameters}
    keywords = [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY,
                                  default=inspect.Parameter.empty)
                for key in known if key.isidentifier()]
    package = _orrery.package_of_block(full_name)
    return type(name, (LibraryBlock,), {
        "__doc__": "\n".join(doc), "__module__": f"orrery.blocks.{package}",
        "__signature__": inspect.Signature(
            [key.replace(default=None) for key in keywords]),
        "_class_name": full_name, "_parameters": known})


class _Package(types.ModuleType):
    """A package of the library; its classes are made when asked for."""

    def __init__(self, name: str, members: dict[str, tuple[str, str]]) -> None:
        super().__init__(f"orrery.blocks.{name}")
        self.__doc__ = "\n".join(
            [f"Blocks of the library's package {name}.", "",
             *(f"{key}: {meaning}" for key, (_, meaning) in members.items())])
        self._members = members

    def __getattr__(self, name: str) -> Any:
        members = self.__dict__.get("_members", {})
        if name not in members:
            raise AttributeError(
                f"{self.__name__} has no block '{name}'"
                + _nearest(name, members))
        made = _make_class(members[name][0])
        setattr(self, name, made)
        return made

    def __dir__(self) -> list[str]:
        return sorted(self._members)


def _read_library() -> dict[str, _Package]:
    packages: dict[str, dict[str, tuple[str, str]]] = {}
    for full_name, meaning in _orrery.list_library():
        package = _orrery.package_of_block(full_name)
        members = packages.setdefault(package, {})
        members[full_name.rpartition(".")[2]] = (full_name, meaning)
    return {name: _Package(name, members)
            for name, members in packages.items()}


_packages = _read_library()
for _name, _package in _packages.items():
    sys.modules[f"orrery.blocks.{_name}"] = _package
    globals()[_name] = _package


def __getattr__(name: str) -> Any:
    for package in _TYPES if name[:1].isupper() else ():
        found = _orrery.describe_enumeration(package + name)
        if found is not None:
            meaning, literals = found
            values = {key: f"{package}{name}.{key}" for key, _ in literals}
            made = enum.Enum(name, values)  # type: ignore[misc]
            made.__doc__ = "\n".join(
                [f"{meaning}.", "",
                 *(f"{key}: {text}" for key, text in literals)])
            globals()[name] = made
            return made
    raise AttributeError(f"orrery.blocks has no package or type '{name}'"
                         + _nearest(name, _packages))


def __dir__() -> list[str]:
    return sorted(_packages)
