"""The results of a run: arrays, tables, pictures and files."""
from __future__ import annotations

import dataclasses
from typing import (
    TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional,
    Sequence, Tuple, Union)

import numpy as np

from orrery import display, frames, plotting, values
from orrery._extension import _orrery
from orrery.errors import Diagnostic, UnknownNameError
from orrery.events import Event, Events

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Summary:
    """How a run ended, and the work that it took. Times are in seconds."""

    outcome: str = "completed"
    completed: bool = True
    message: str = ""  # Why it did not complete.
    start: float = 0.0
    end_time: float = 0.0
    stop: float = 0.0
    solver: str = ""  # The one at the end.
    switches: Sequence[Tuple[float, str, str, str]] = ()
    events: int = 0
    steps: int = 0
    rejected_steps: int = 0
    rhs_evaluations: int = 0
    jacobian_evaluations: int = 0
    loop_iterations: int = 0

    def _repr_html_(self) -> str:
        return display.table(["", ""], [
            (name.replace("_", " "), value)
            for name, value in dataclasses.asdict(self).items() if value])


class Final(Mapping[str, float]):
    """The last values of a run by name. A run of them begins there:

    >>> import orrery
    >>> model = orrery.modelica("model M Real x(start=0, fixed=true);"
    ...                         " equation der(x) = 1; end M;")
    >>> first = model.run(stop=2)
    >>> model.run(first.final, start=2, stop=3).final["x"]
    3.0
    """

    def __init__(self, result: "Result") -> None:
        self._result = result

    def __getitem__(self, name: str) -> float:
        index = self._result._index(name)
        return float(self._result._trajectory.final(index))

    def __iter__(self) -> Iterator[str]:
        return iter(self._result.names)

    def __len__(self) -> int:
        return len(self._result.names)

    def __repr__(self) -> str:
        return repr(dict(self))


class Result:
    """The recorded rows of a run, and what else it has to tell.

    `result["x"]` is a read-only numpy array with a value for each of
    `result.time` (s); an event has two rows, its limits. An array `T` of the
    model is one array: `result["T"][row, 0]` is `T[1]`. Nothing is copied:
    arrays keep the run alive.

    >>> import orrery
    >>> r = orrery.modelica("model M Real x(start=1, fixed=true);"
    ...                     " equation der(x) = -x; end M;").run(stop=1)
    >>> r["x"][0], round(r.final["x"], 4), r.at(0.5, "x").round(4)
    (1.0, 0.3679, 0.6065)
    """

    def __init__(self, trajectory: _orrery.Trajectory, *, name: str = "",
                 events: Any = None, summary: Any = None,
                 warnings: Sequence[Diagnostic] = (),
                 record: Sequence[str] = (),
                 others: Optional[Callable[[], Sequence[str]]] = None,
                 extra: Optional[Mapping[str, Any]] = None,
                 origin: Any = None,
                 repeat: Optional[Callable[["Result", Array], Any]] = None
                 ) -> None:
        self._trajectory = trajectory
        self._arrays: Dict[str, Array] = {"time": trajectory.time}
        self._events = self._log = events
        self._summary = self._told = summary
        self._origin = origin  # (model, ...), for its `_ended_run`.
        self._repeat = repeat  # Gives the rows of this run at other times.
        self._warnings = list(warnings)
        self._record = list(record)
        self._others = others
        self._names: Optional[List[str]] = None
        self.name = name
        #: Results that are no signals, by name.
        self.values: Dict[str, Any] = dict(extra or {})

    # The attributes that a kind of results has besides those of this class.
    _more: Sequence[str] = ()

    # Signals ----------------------------------------------------------------

    @property
    def time(self) -> Array:
        """The times of the rows, s. Never decreasing."""
        return self._arrays["time"]

    @property
    def names(self) -> List[str]:
        """The names of all signals, in the order of the model."""
        if self._names is None:
            self._names = self._trajectory.names()
        return self._names

    def __getitem__(self, name: str) -> Array:
        try:
            return self._arrays[name]
        except (KeyError, TypeError):  # It may be a list, which has no hash.
            pass
        index = self._found(name)
        array = (self._whole(name) if index is None
                 else self._trajectory.array(index))
        self._arrays[name] = array
        return array

    def _whole(self, name: str) -> Array:
        """An array quantity from its elements: a copy."""
        at = self._elements(name)
        if not at:
            raise self._unknown(name)
        shape = tuple(1 + max(index) for index in zip(*at))
        array = np.full((len(self.time),) + shape, np.nan)
        for index, its in at.items():
            array[(slice(None),) + index] = self[its]
        array.flags.writeable = False
        return array

    def _elements(self, name: str) -> Dict[Tuple[int, ...], str]:
        """The names of the elements of an array, by their places from 0."""
        at = {}
        for its, numbered in zip(self.names,
                                 self._trajectory.names_with_numbers()):
            array, _, last = numbered.rpartition("[")
            if name in (array, its.rpartition("[")[0]) and last.endswith("]"):
                subscripts = last[:-1].split(",")
                if all(text.isdigit() for text in subscripts):
                    at[tuple(int(text) - 1 for text in subscripts)] = its
        return at

    def _found(self, name: str) -> Optional[int]:
        if not isinstance(name, str) or not values.is_text(name):
            raise TypeError(
                f"cannot take {name!r} for a signal: give the name of one, "
                "result[\"x\"], whose rows are result[\"x\"][0]; several are "
                "columns of result.to_pandas([\"x\", \"y\"])")
        return self._trajectory.find(name)

    def _index(self, name: str) -> int:
        index = self._found(name)
        if index is None:
            raise self._unknown(name)
        return int(index)

    def _unknown(self, name: str) -> UnknownNameError:
        elements = self._elements(name)
        if elements:
            return UnknownNameError(
                f"'{name}' is an array: name one of its elements, as "
                f"'{next(iter(elements.values()))}'")
        others = list(self._others()) if self._others else []
        if name in others:
            why = (f"record={self._record!r} leaves it out"
                   if self._record else "the model protects it")
            return UnknownNameError(
                f"'{name}' was not recorded: {why}; add it to record=[...]")
        return UnknownNameError(
            f"no signal '{name}' in the run of {self.name}"
            + values.hint(name, self.names + others))

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or not values.is_text(name):
            return False
        return (name == "time" or self._trajectory.find(name) is not None
                or bool(self._elements(name)))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def keys(self) -> List[str]:
        """The names, so that `dict(result)` has all arrays."""
        return self.names

    def unit(self, name: str) -> str:
        """The unit of a signal as in Modelica, such as "m/s"; may be empty.

        Raises:
            UnknownNameError: there is no such signal.
        """
        if name == "time":
            return "s"
        return str(self._trajectory.info(self._index(name))["unit"])

    def description(self, name: str) -> str:
        """What the author of the model says about a signal; may be empty."""
        return str(self._trajectory.info(self._index(name))["description"])

    def is_constant(self, name: str) -> bool:
        """True for parameters and constants, which have one value."""
        info = self._trajectory.info(self._index(name))
        return bool(info["variability"] == "constant")

    @property
    def final(self) -> Final:
        """The values at the end by name: `result.final["x"]`."""
        return Final(self)

    def at(self, time: Union[values.Time, npt.ArrayLike],
           name: Union[str, Sequence[str]], *, left: bool = False) -> Any:
        """Values between the rows, as accurate as the run.

        The run is repeated for that, with rows at these times: ask for many
        at once. Runs that cannot be repeated (step by step, of several
        engines, with functions of Python, from files or pickles) give the
        values of the cubic between the rows, or of the line if the
        derivative is not recorded.

        Args:
            time: one time, or an array of times, s.
            name: of a signal, or a list of names.
            left: at an event, the limit from before it; else from after.

        Returns:
            a float for one time; else an array of the shape of `time`. For a
            list of names there is one more axis, a column for each.

        Raises:
            UnknownNameError: there is no such signal.
            ArgumentError: a time lies before or after the run.
        """
        several = isinstance(name, (list, tuple))
        indices = [self._index(its) for its in values.some(name, "name")]
        shape = np.shape(time)  # type: ignore[arg-type]
        times = (np.array([values.seconds(time)])  # type: ignore[arg-type]
                 if not shape else np.asarray(time, float).ravel())
        found = self._values_at(times, indices, left)
        if not several:
            return (found[0].reshape(shape) if shape
                    else np.float64(found[0][0]))
        return np.stack([its.reshape(shape) for its in found], axis=-1)

    def _values_at(self, times: Array, indices: Sequence[int], left: bool
                   ) -> List[Array]:
        run = self._trajectory
        found = [run.at(i, times, left) for i in indices]
        moving = [k for k, i in enumerate(indices)
                  if run.info(i)["variability"] == "continuous"]
        if (self._repeat is None or not moving
                or np.isin(times, self.time).all()):
            return found
        again = self._repeat(self, np.unique(times))
        if again is not None:
            for k in moving:
                found[k] = again.at(indices[k], times, left)
        return found

    # Beside the signals -----------------------------------------------------

    @property
    def events(self) -> Events:
        """What happened when; see `Events`."""
        log = self._events
        if isinstance(log, Events):
            return log
        events = (Events(np.empty(0), [], []) if log is None else
                  Events(log.time, log.names(), log.directions()))
        self._events = events
        return events

    @property
    def summary(self) -> Summary:
        """How the run ended, and the work that it took."""
        told = self._summary
        if isinstance(told, Summary):
            return told
        self._warnings = self.warnings
        summary = (Summary(start=self._edge(0), end_time=self._edge(-1),
                           stop=self._edge(-1)) if told is None
                   else Summary(**told.fields()))
        self._summary = summary
        return summary

    def _edge(self, row: int) -> float:
        return float(self.time[row]) if len(self.time) else 0.0

    @property
    def warnings(self) -> List[Diagnostic]:
        """What its author should know about the run."""
        if self._summary is None or isinstance(self._summary, Summary):
            return self._warnings
        return self._warnings + [its for its in self._summary.diagnostics()
                                 if its.severity == "warning"]

    # Elsewhere --------------------------------------------------------------

    def to_pandas(self, names: Optional[Sequence[str]] = None) -> Any:
        """A DataFrame over the time, whose numbers are these, not copies.

        Args:
            names: of signals; default: all that vary. Booleans become `bool`,
                enumerations `Categorical`; `attrs` has the units.
        """
        return frames.to_pandas(self, names)

    def to_xarray(self, names: Optional[Sequence[str]] = None, *,
                  unique: bool = False) -> Any:
        """A Dataset over `time`; constants have no dimension.

        Args:
            names: of signals; default: all.
            unique: True keeps one row of each time, the one after its events.
                Times of events are there twice otherwise, and xarray's `sel`
                and `interp` need times that are unique.
        """
        return frames.to_xarray(self, names, unique)

    def plot(self, *curves: Union[str, Sequence[str]], ax: Any = None,
             **style: Any) -> Any:
        """Draws signals over time ("x"), or over each other ("x:y").

        Args:
            curves: names, or a list of them; an array is all its elements.
                Default: the first ones of the model that vary.
            ax: the axes of matplotlib to draw on; default: new ones.
            style: for matplotlib's `plot`.

        Returns:
            the axes.
        """
        return plotting.plot(self, plotting.flat(self, curves), ax, style)

    def svg(self, *curves: Union[str, Sequence[str]], title: str = "",
            width: int = 720, height: int = 400) -> str:
        """The same picture by Orrery, without matplotlib, as SVG."""
        return str(self._trajectory.svg(
            ",".join(plotting.flat(self, curves)
                     or plotting.first_names(self)), title, width,
            height))

    def save(self, path: values.PathLike,
             names: Optional[Sequence[str]] = None) -> None:
        """Writes `.csv`, `.mat` (as Modelica tools) or `.h5`.

        Args:
            names: of signals; default: all; in `.csv` all that vary.

        Raises:
            FileError: it cannot be written.
            ArgumentError: another ending, or an unknown name.
        """
        self._trajectory.save(values.path(path), list(names or []))

    def _to_save(self) -> Any:
        if self._origin is None:
            return None
        model, *how = self._origin
        return model._ended_run(self, *how)

    def __reduce_ex__(self, protocol: Any) -> Any:
        run = self._trajectory
        infos = [run.info(i) for i in range(len(self.names))]
        constants = [float(run.array(i)[0]) if len(self.time)
                     and info["column"] < 0 else float("nan")
                     for i, info in enumerate(infos)]
        columns = [run.column(i) for i in range(run.columns())]
        events = self.events
        return _restored, (
            type(self), infos, self.time, columns, constants,
            dict(name=self.name, summary=self.summary, record=self._record,
                 warnings=self.warnings, extra=self.values),
            (np.array(events.time), events.names, events.directions),
            {name: getattr(self, name) for name in self._more})

    def __copy__(self) -> "Result":
        return self

    def __deepcopy__(self, memo: Any) -> "Result":
        return self

    def __repr__(self) -> str:
        return f"<orrery.Result: {self._line()}>"

    def _line(self) -> str:
        its = self.summary
        return (f"{self.name}: {its.end_time:.6g} s, {len(self.time)} rows, "
                f"{len(self.names)} signals, {its.outcome}")

    def _repr_html_(self) -> str:
        figure = ""
        if len(self.time) and plotting.first_names(self):
            figure = display.figure(self.svg())
        parts = [figure, display.paragraph(self._line())]
        if self.summary.message:
            parts.append(display.paragraph(self.summary.message))
        parts += [display.paragraph(str(its)) for its in self.warnings]
        return display.page(*parts)

    def _ipython_key_completions_(self) -> List[str]:
        return self.names


def _restored(kind: Any, infos: Any, time: Array, columns: Any,
              constants: Any, others: Dict[str, Any], events: Any,
              more: Dict[str, Any]) -> Result:
    trajectory = _orrery.Trajectory.restored(infos, time, columns, constants)
    result: Result = kind.__new__(kind)
    Result.__init__(result, trajectory, events=Events(*events), **others)
    result.__dict__.update(more)
    return result


def read(path: values.PathLike) -> Result:
    """Reads the results of a run from a file, of Orrery or another program.

    Args:
        path: `.csv`, `.mat` (as Dymola and OpenModelica write it) or `.h5`.

    Raises:
        FileError: it cannot be read.
        ArgumentError: another ending.

    >>> import orrery, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = orrery.modelica("model M Real x = 2*time; end M;").run()
    ...     run.save(folder + "/run.csv")
    ...     orrery.read(folder + "/run.csv").at(0.25, "x")
    0.5
    """
    file = values.path(path)
    return Result(_orrery.read_trajectory(file), name=file)


__all__ = ["Event", "Events", "Final", "Result", "Summary",
           "read"]
