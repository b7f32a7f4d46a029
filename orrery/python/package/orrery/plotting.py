"""Pictures of results."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, Sequence, Tuple

from orrery import display, values
from orrery.errors import ArgumentError

if TYPE_CHECKING:
    from orrery.results import Result

_MOST = 4  # Curves of a picture for which nobody named any.


def first_names(result: "Result") -> List[str]:
    """The signals that are drawn if none are named."""
    found: List[str] = []
    for i, name in enumerate(result.names):
        info = result._trajectory.info(i)
        if info["variability"] == "constant" or name.startswith("der("):
            continue
        found.append(name)
        if len(found) == _MOST:
            break
    return found


def flat(result: "Result", curves: Sequence[Any]) -> List[str]:
    """Curves and lists of them as one list, arrays as all their elements.

    Raises:
        TypeError: something else than a name is among them.
    """
    found: List[str] = []
    for its in curves:
        for curve in values.names(its, "curves"):
            elements = result._elements(curve)
            found += list(elements.values()) if elements else [curve]
    return found


def _parts(curve: str) -> Tuple[str, str]:
    """The names of x and y: "x:y"; of a name alone, the time and it."""
    depth = 0
    for i, sign in enumerate(curve):
        depth += (sign in "([") - (sign in ")]")
        if sign == ":" and depth == 0:
            return curve[:i].strip(), curve[i + 1:].strip()
    return "time", curve.strip()


def _label(result: "Result", name: str) -> str:
    return display.label(name, result.unit(name))


def plot(result: "Result", curves: Sequence[str], ax: Any,
         style: Mapping[str, Any]) -> Any:
    """See `Result.plot`."""
    pyplot = display.need("matplotlib.pyplot", "plot()")
    pairs = [_parts(curve) for curve in curves or first_names(result)]
    if not pairs:
        raise ArgumentError(f"cannot plot the run of {result.name}: none of "
                            "its signals varies")
    if len({x == "time" for x, _ in pairs}) > 1:
        raise ArgumentError("cannot plot curves over the time together with "
                            "curves over others; make two plots")
    ax = display.axes(ax, pyplot)
    for x, y in pairs:
        info = result._trajectory.info(result._index(y))
        if x == "time" and info["variability"] == "discrete":
            style = {"drawstyle": "steps-post", **style}
        ax.plot(result[x], result[y], **{"label": _label(result, y), **style})
    ax.set_xlabel(_label(result, pairs[0][0]))
    if len(pairs) == 1:
        ax.set_ylabel(_label(result, pairs[0][1]))
    else:
        ax.legend()
    return ax
