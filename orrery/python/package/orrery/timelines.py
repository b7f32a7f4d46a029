"""When tasks were at work: a chart and a table."""
import dataclasses
from typing import Any, List, Optional, Sequence, Tuple

from orrery import display


@dataclasses.dataclass(frozen=True)
class Span:
    """The time of a task, in seconds; without an end if it is not over."""

    name: str
    begin: float
    end: Optional[float]
    parent: Optional[int] = None  # The place of the task that spawned it.

    @staticmethod
    def all_of(rows: Sequence[Tuple[Any, ...]]) -> List["Span"]:
        """From what the engine keeps."""
        return [Span(name, begin, end, parent)
                for name, parent, begin, end, _ in rows]


class Timeline:
    """The spans of a run. In a notebook it is a chart."""

    def __init__(self, spans: List[Span], end: float) -> None:
        self.spans = spans
        self.end = end

    def __len__(self) -> int:
        return len(self.spans)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each task."""
        pandas = display.need("pandas", "to_pandas()")
        return pandas.DataFrame([dataclasses.asdict(s) for s in self.spans],
                                columns=["name", "begin", "end", "parent"])

    def plot(self, axes: Any = None) -> Any:
        """Draws a bar for each task; returns matplotlib's axes."""
        pyplot = display.need("matplotlib.pyplot", "plot()")
        axes = display.axes(axes, pyplot)
        for place, span in enumerate(self.spans):
            end = self.end if span.end is None else span.end
            axes.barh(place, end - span.begin, left=span.begin)
        axes.set_yticks(range(len(self.spans)),
                        [span.name for span in self.spans])
        axes.invert_yaxis()
        axes.set_xlabel("time in s")
        return axes

    def __repr__(self) -> str:
        return f"<timeline of {len(self.spans)} tasks to {self.end:g} s>"
