"""The events of a run."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Sequence

from orrery import display

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Event:
    """An event: when (s), what, and why ("rising", "falling", "tick"...)."""

    time: float
    name: str
    direction: str


class Events(Sequence[Event]):
    """The events of a run in their order, a table in notebooks.

    >>> import orrery
    >>> r = orrery.modelica("model M Boolean on = time > 0.5; end M;").run()
    >>> r.events[0]
    Event(time=0.5, name='time > 0.5', direction='rising')
    >>> r.events.times_of("time > 0.5")
    array([0.5])
    """

    def __init__(self, time: Array, names: Sequence[str],
                 directions: Sequence[str]) -> None:
        self.time = time
        self.names = list(names)
        self.directions = list(directions)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Events(self.time[index], self.names[index],
                          self.directions[index])
        return Event(float(self.time[index]), self.names[index],
                     self.directions[index])

    def times_of(self, name: str) -> Array:
        """The times (s) of the events called `name`; may be none."""
        return self.time[[its == name for its in self.names]]

    def to_pandas(self) -> Any:
        """A DataFrame with the columns time, name and direction."""
        pandas = display.need("pandas", "to_pandas()")
        return pandas.DataFrame({"time": self.time, "name": self.names,
                                 "direction": self.directions})

    def __repr__(self) -> str:
        return "\n".join(f"{its.time:<12.9g} {its.direction:8} {its.name}"
                         for its in self) or "no events"

    def _repr_html_(self) -> str:
        return display.table(["time", "event", "direction"], [
            (f"{its.time:.9g}", its.name, its.direction) for its in self])
