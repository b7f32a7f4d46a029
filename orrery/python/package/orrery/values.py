"""What users write for a time, a value or a name, as the engines take it."""
from __future__ import annotations

import datetime
import enum
import os
from typing import (
    TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Tuple,
    Union)

import numpy as np

from orrery._extension import _orrery
from orrery.errors import ArgumentError

if TYPE_CHECKING:
    import numpy.typing as npt

    Value = Union[float, bool, str, npt.ArrayLike]

Time = Union[float, str, datetime.timedelta, np.timedelta64]
PathLike = Union[str, bytes, "os.PathLike[str]"]

_NUMBERS = (int, float, np.integer, np.floating)


def _is_number(value: Any) -> bool:
    if isinstance(value, _NUMBERS):
        return True
    import decimal  # Few need them, and all would wait for them.
    import fractions
    return isinstance(value, (decimal.Decimal, fractions.Fraction))


def seconds(time: Time, what: str = "time") -> float:
    """A time in seconds.

    Args:
        time: seconds, a text with a unit, or a `timedelta`.
        what: what it is for, for messages.

    Raises:
        TypeError: it is none of these.
        ArgumentError: the text is no time.

    >>> seconds(2), seconds("1.5 min"), seconds("100 ms")
    (2.0, 90.0, 0.1)
    >>> seconds(datetime.timedelta(hours=1))
    3600.0
    """
    if type(time) is float:
        return time
    if isinstance(time, str):
        return _orrery.seconds(time)
    if isinstance(time, datetime.timedelta):
        return time.total_seconds()
    if isinstance(time, np.timedelta64):
        return float(time / np.timedelta64(1, "ns")) * 1e-9
    if isinstance(time, np.ndarray) and time.ndim == 0:
        return seconds(time.item(), what)
    return number(time, what,
                  "seconds, a text as '2 min' or a timedelta")


def number(value: Any, what: str, wanted: str = "a number") -> float:
    """`value` as a float.

    Raises:
        TypeError: it is no number, and so also for a text or a Boolean.

    >>> number(np.float32(0.5), "tolerance")
    0.5
    >>> number("x", "tolerance")
    Traceback (most recent call last):
    TypeError: cannot take 'x' for 'tolerance': give a number
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if _is_number(value) and not isinstance(value, bool):
        return _float(value, what)
    raise TypeError(f"cannot take {value!r} for '{what}': give {wanted}")


def _float(value: Any, what: str) -> float:
    """A number as a float.

    Raises:
        ArgumentError: it is too large for one.
    """
    try:
        return float(value)
    except OverflowError:
        raise ArgumentError(f"cannot take the number given for '{what}': it "
                            "is above 1.8e308, the largest of a float"
                            ) from None


def whole(value: Any, what: str) -> int:
    """`value` as an int.

    Raises:
        TypeError: it is no whole number.
    """
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise TypeError(f"cannot take {value!r} for '{what}': give a whole number")


def names(value: Any, what: str) -> List[str]:
    """One name, or several of them, as a list.

    Raises:
        TypeError: something else is among them.
    """
    if isinstance(value, str):
        return [value]
    result = list(value) if isinstance(value, Iterable) else [value]
    for name in result:
        if not isinstance(name, str):
            raise TypeError(f"cannot take {name!r} for '{what}': give a name "
                            "or a list of names")
    return result


def is_text(name: str) -> bool:
    """False for what the engines cannot take: halves of surrogate pairs, which
    Python has in names of files that are no UTF-8."""
    return name.isascii() or not any("\ud800" <= c <= "\udfff" for c in name)


def is_path(value: Any) -> bool:
    """True for what may name a file.

    >>> is_path("a.csv"), is_path(b"a.csv"), is_path({"a": 1})
    (True, True, False)
    """
    return isinstance(value, (str, bytes, os.PathLike))


def path(value: PathLike) -> str:
    """The name of a file.

    Raises:
        TypeError: it is none.
        ArgumentError: it is no UTF-8.
    """
    file = os.fsdecode(value)
    if not is_text(file):
        raise ArgumentError(f"cannot take the file {os.fsencode(file)!r}: its "
                            "name is no UTF-8; rename it")
    return file


def hint(name: str, known: Iterable[str]) -> str:
    """What a message adds about an unknown name: which known one is near.

    >>> hint("lenght", ["length", "mass"]), hint("x", [])
    ("; did you mean 'length'?", '')
    """
    text = _orrery.suggest(name, list(known))
    return f"; {text}" if text else ""


def some(value: Any, what: str) -> List[str]:
    """As `names`, but at least one.

    Raises:
        ArgumentError: there is none.
    """
    its = names(value, what)
    if not its:
        raise ArgumentError(f"cannot take no name for '{what}': give one or "
                            "more")
    return its


def count(value: Any, what: str) -> Optional[int]:
    """A whole number of 1 or more; None stays.

    Raises:
        TypeError, ArgumentError: it is none.
    """
    if value is None:
        return None
    its = whole(value, what)
    if its < 1:
        raise ArgumentError(f"cannot take {its} for '{what}': give 1 or more")
    return its


def text_of(name: str, value: Any) -> str:
    """The text of a value, as the command line takes it.

    >>> text_of("k", [[1, 2], [3, 4.5]]), text_of("on", True)
    ('{{1, 2}, {3, 4.5}}', 'true')

    Raises:
        TypeError: it is no value of a parameter.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        _float(value, name)
        return repr(int(value))
    if _is_number(value):
        return repr(_float(value, name))
    if hasattr(value, "is_structural"):  # A Quantity, with its value.
        return text_of(name, value.value)
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds()!r} s"
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return text_of(name, value.item())
    if hasattr(value, "to_numpy"):
        return text_of(name, value.to_numpy())
    if isinstance(value, (list, tuple, np.ndarray)):
        return "{" + ", ".join(text_of(name, its) for its in value) + "}"
    raise TypeError(f"cannot set '{name}' to {value!r}: give a number, a "
                    "text with a unit, True or False, or an array of these")


def mapping(settings: Any) -> Mapping[str, Any]:
    """`settings`, if they have values by name: a mapping, or a Series.

    Raises:
        TypeError: they are something else, or a name is no text.
    """
    if hasattr(settings, "to_dict") and not hasattr(settings, "columns"):
        settings = settings.to_dict()
    if not isinstance(settings, Mapping):
        raise TypeError(f"cannot take {settings!r} for the settings: give a "
                        "dict, {\"name\": value}")
    for name in settings:
        if not isinstance(name, str):
            raise TypeError(f"cannot set {name!r}: give the name as a text")
        if not is_text(name):
            raise ArgumentError(f"cannot set {name!r}: a name is a text "
                                "without halves of characters")
    return settings


def refuse_twice(settings: Mapping[str, Any], parameters: Mapping[str, Any]
                 ) -> None:
    """Raises an ArgumentError if both set one name."""
    for name in parameters:
        if name in settings:
            raise ArgumentError(f"cannot set '{name}' twice: it is in the "
                                "dict of settings and given by name")


def split(settings: Mapping[str, Any]
          ) -> Tuple[Dict[str, float], List[Tuple[str, str]]]:
    """Settings that are plain numbers, and the texts of the others."""
    plain: Dict[str, float] = {}
    texts: List[Tuple[str, str]] = []
    for name, value in settings.items():
        if type(value) in (float, int, bool):
            plain[name] = _float(value, name)
        else:
            texts.append((name, text_of(name, value)))
    return plain, texts
