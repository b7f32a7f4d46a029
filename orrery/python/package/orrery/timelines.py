"""When tasks were at work: a chart and a table."""
import dataclasses
from typing import Any, List, Optional, Sequence, Tuple

from orrery import _orrery, display


@dataclasses.dataclass(frozen=True)
class Span:
    """The time of a task, in seconds; without an end if it is not over.

    `parent` is the place of the task that spawned it, `state` is "open",
    "completed", "failed" or "cancelled".
    """

    name: str
    begin: float
    end: Optional[float]
    parent: Optional[int] = None
    state: str = "completed"

    @staticmethod
    def all_of(rows: Sequence[Tuple[Any, ...]]) -> List["Span"]:
        """From what the engine keeps."""
        return [Span(name, begin, end, parent, state)
                for name, parent, begin, end, state in rows]


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
                                columns=["name", "begin", "end", "parent",
                                         "state"])

    def svg(self, width: int = 720) -> str:
        """The chart as an SVG document, without matplotlib.

        Tasks are indented below the one that spawned them; those of one name
        share a row as long as they do not overlap.

        >>> import orrery
        >>> class Crew(orrery.Tasks):
        ...     def start(self):
        ...         yield 5
        >>> Crew().run().timeline().svg().startswith("<svg")
        True
        """
        return _orrery.timeline_svg(
            [(its.name, its.parent, its.begin, its.end, its.state)
             for its in self.spans], self.end, width)

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

    def _repr_html_(self) -> str:
        figure = display.figure(self.svg()) if self.spans else ""
        return display.page(figure, display.paragraph(
            f"{len(self.spans)} tasks to {self.end:g} s"))

    def __repr__(self) -> str:
        return f"<timeline of {len(self.spans)} tasks to {self.end:g} s>"
