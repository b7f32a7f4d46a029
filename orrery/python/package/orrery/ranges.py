"""What experiments vary, from what users write to what the engines take."""
from typing import (
    Any, Callable, Dict, List, Mapping, Optional, Sequence, Sized, Union)

import numpy as np

from orrery import values
from orrery.errors import ArgumentError

#: Gives a value of a quantity by name as a number in its unit, if it is a text
#: with a unit; else the value.
Read = Callable[[str, Any], Any]

Keep = Union[str, Sequence[str], Mapping[str, str]]


def as_given(name: str, value: Any) -> Any:
    """The value, whatever its unit."""
    return value


def _end(value: Any, name: str) -> str:
    return "" if value is None else values.text_of(name, value)


def _bounds(name: str, value: Sequence[Any], read: Read) -> str:
    value = [read(name, its) for its in value]
    if len(value) == 2:
        guess, (low, high) = "", value
    elif len(value) == 3:
        guess, (low, high) = _end(value[0], name), value[1:]
    else:
        raise ArgumentError(
            f"cannot vary '{name}' in {value!r}: a tuple is (low, high) or "
            "(guess, low, high); give several values as a list")
    return f"{guess}[{_end(low, name)},{_end(high, name)}]"


def range_of(name: str, value: Any, read: Read = as_given) -> str:
    """The range of a quantity as the command line takes it.

    Args:
        value: a text as there, such as "3:0.5:5" or "normal(4, 0.2)"; one
            value; several, as a list, an array or a `range`; bounds (low,
            high) or (guess, low, high), in which None is no bound.
        read: of single values.

    Raises:
        ArgumentError, TypeError: it is none of these.

    >>> range_of("k", "3:0.5:5"), range_of("k", [0.1, 2]), range_of("k", 3)
    ('3:0.5:5', '{0.1,2.0}', '3')
    >>> range_of("k", (0.1, 10)), range_of("k", (1, 0.1, None))
    ('[0.1,10]', '1[0.1,]')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return _bounds(name, value, read)
    if isinstance(value, (list, range, np.ndarray)) or hasattr(
            value, "to_numpy"):
        several = np.asarray(value)
        if several.ndim == 1 and several.dtype.kind not in "fiu":
            several = np.asarray([read(name, its) for its in value])
        if several.ndim != 1 or several.size == 0:
            raise ArgumentError(f"cannot vary '{name}' in values of the shape "
                                f"{several.shape}; give them one after the "
                                "other")
        if several.dtype.kind in "fiu":
            return "{" + ",".join(map(repr, several.tolist())) + "}"
        return "{" + ",".join(values.text_of(name, its)
                              for its in several.tolist()) + "}"
    return values.text_of(name, value)


def vary_of(vary: Optional[Mapping[str, Any]], read: Read = as_given
            ) -> List[str]:
    """All ranges, each as NAME=RANGE.

    Raises:
        TypeError: it is no mapping of names.
    """
    if vary is None:
        return []
    if hasattr(vary, "columns"):
        raise TypeError("cannot vary a DataFrame: give points=frame, whose "
                        "rows are one run each")
    if not hasattr(vary, "items"):
        raise TypeError(f"cannot vary {vary!r}: give a dict, {{\"name\": "
                        "range}}")
    return [f"{name}={range_of(name, value, read)}"
            for name, value in vary.items()]


def keep_of(keep: Optional[Keep]) -> List[str]:
    """Measures, each as MEASURE or NAME=MEASURE.

    >>> keep_of("max(v)"), keep_of({"peak": "max(v)"})
    (['max(v)'], ['peak=max(v)'])
    """
    if keep is None:
        return []
    if isinstance(keep, (str, Sized)) and not len(keep):
        raise ArgumentError("cannot keep nothing of the runs: name what to "
                            "keep, as in keep=\"max(v)\", or leave keep out")
    if hasattr(keep, "items"):
        return [f"{name}={measure}" for name, measure
                in keep.items()]
    return values.names(keep, "keep")


def assignments(given: Optional[Mapping[str, Any]], read: Read = as_given
                ) -> List[str]:
    """NAME=VALUE for each.

    >>> assignments({"h": 5, "v": "2 m/s"})
    ['h=5', 'v=2 m/s']
    """
    return [f"{name}={values.text_of(name, read(name, value))}"
            for name, value in (given or {}).items()]


def optional_values(given: Any, what: str, read: Read = as_given
                    ) -> List[str]:
    """Names alone, or names with values.

    >>> optional_values(["u"], "free"), optional_values({"u": 2}, "free")
    (['u'], ['u=2'])
    """
    if given is None:
        return []
    if hasattr(given, "items"):
        return [name if value is None
                else f"{name}={values.text_of(name, read(name, value))}"
                for name, value in given.items()]
    return values.names(given, what)


def bounds_of(given: Optional[Mapping[str, Sequence[Any]]],
              read: Read = as_given) -> List[str]:
    """NAME=[LOW,HIGH] for each.

    >>> bounds_of({"v": (0, None)})
    ['v=[0,]']
    """
    return [f"{name}={_bounds(name, value, read)}"
            for name, value in (given or {}).items()]


def without_defaults(fields: Mapping[str, Any]) -> Dict[str, Any]:
    """The fields of a document that are given."""
    return {name: value for name, value in fields.items()
            if value is not None and value is not False and value != []
            and value != ""}
