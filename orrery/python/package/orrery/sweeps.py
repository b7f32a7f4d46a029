"""The results of many runs: a table with a row for each run."""
from __future__ import annotations

import dataclasses
import json
from typing import (
    TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence,
    Tuple)

import numpy as np

from orrery import display, values
from orrery._extension import _orrery
from orrery.errors import ArgumentError, Diagnostic, UnknownNameError

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

_STATUS = np.array(["missing", "completed", "failed"])


def _table_from(infos: Any, columns: Any, status: Any) -> Any:
    return _orrery.RunTable.restored(infos, columns, status)


def _parts_of(table: Any) -> Tuple[Any, ...]:
    """A table of the extension as what `_table_from` takes, for pickles."""
    infos = table.columns()
    return (infos, [table.column(i) for i in range(len(infos))],
            table.status.tolist())


class RunTable(Mapping[str, "Array"]):
    """Columns of numbers with a value for each run, as read-only arrays.

    What varied comes first (`varied`), then what was kept (`kept`).
    """

    def __init__(self, table: _orrery.RunTable, name: str) -> None:
        self._table = table
        self._infos: Dict[str, Dict[str, Any]] = {
            info["name"]: {**info, "index": i}
            for i, info in enumerate(table.columns())}
        self.name = name

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_table": _parts_of(self._table)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state, _table=_table_from(*state["_table"]))

    def __getitem__(self, name: str) -> Array:
        return self._table.column(self._info(name)["index"])

    def _info(self, name: str) -> Dict[str, Any]:
        if not isinstance(name, str):
            raise TypeError(f"cannot take {name!r} for a column: give the "
                            "name of one, runs[\"x\"], whose value in the "
                            "first run is runs[\"x\"][0]")
        if name in self._infos:
            return self._infos[name]
        raise UnknownNameError(f"no column '{name}' in the runs of {self.name}"
                               + values.hint(name, self._infos))

    def __iter__(self) -> Iterator[str]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)

    @property
    def names(self) -> List[str]:
        """The names of all columns."""
        return list(self._infos)

    @property
    def varied(self) -> List[str]:
        """The names of what varied."""
        return [name for name, its in self._infos.items() if its["varied"]]

    @property
    def kept(self) -> List[str]:
        """The names of what was kept of each run."""
        return [name for name, its in self._infos.items()
                if not its["varied"]]

    def unit(self, name: str) -> str:
        """The unit of a column; may be empty."""
        return str(self._info(name)["unit"])

    @property
    def runs(self) -> int:
        """How many runs there are, of any status."""
        return len(self._table.status)

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """"completed", "failed" or "missing", for each run."""
        return np.asarray(_STATUS[self._table.status])

    def texts(self, name: str) -> npt.NDArray[Any]:
        """A column in its words: literals, Booleans and texts by name."""
        its = self._info(name)
        known = list(its["value_names"])
        if not known:
            return self[name]
        codes = self[name]
        return np.array([known[int(code)] if 0 <= code < len(known) else None
                         for code in codes], object)

    def to_pandas(self) -> Any:
        """A DataFrame, whose numbers are these, not copies, over `run`."""
        pandas = display.need("pandas", "to_pandas()")
        frame = pandas.DataFrame(
            {name: self.texts(name) if self._info(name)["texts"]
             else self[name] for name in self.names}, copy=False)
        frame.index.name = "run"
        frame.attrs["units"] = {name: self.unit(name) for name in self.names}
        return frame

    def to_xarray(self) -> Any:
        """A Dataset: of a grid, over what varied; else over `run`.

        Runs that failed or are missing are NaN.
        """
        xarray = display.need("xarray", "to_xarray()")
        axes = self._axes()
        if axes is None:
            return xarray.Dataset(
                {name: ("run", self.texts(name) if self._info(name)["texts"]
                        else self[name], self._attributes(name))
                 for name in self.names}, attrs={"model": self.name})
        places = tuple(np.searchsorted(axis, self[name])
                       for name, axis in axes.items())
        shape = tuple(len(axis) for axis in axes.values())
        repeats = self.runs // int(np.prod(shape))
        dims = list(axes) + (["replication"] if repeats > 1 else [])
        if repeats > 1:
            places += (np.arange(self.runs) % repeats,)
            shape += (repeats,)
        variables = {}
        for name in self.kept:
            array = np.full(shape, np.nan)
            array[places] = self[name]
            variables[name] = (dims, array, self._attributes(name))
        return xarray.Dataset(
            variables, attrs={"model": self.name},
            coords={name: (name, axis, self._attributes(name))
                    for name, axis in axes.items()})

    def _axes(self) -> Optional[Dict[str, Array]]:
        """The values of each quantity that varied, if the runs are a grid."""
        if not self.varied or not self.runs:
            return None
        axes = {name: np.unique(self[name]) for name in self.varied}
        points = int(np.prod([float(len(axis)) for axis in axes.values()]))
        if points > self.runs or self.runs % points:
            return None
        rows = np.column_stack([self[name] for name in self.varied])
        counts = np.unique(rows, axis=0, return_counts=True)[1]
        return axes if len(counts) == points and len(
            set(counts)) == 1 else None

    def _attributes(self, name: str) -> Dict[str, str]:
        return {"units": self.unit(name)}

    def plot(self, x: Optional[str] = None, y: Optional[str] = None, *,
             ax: Any = None, **style: Any) -> Any:
        """Draws one column over another with matplotlib.

        Args:
            x: default: the first that varied; `y`: the first that was kept.
            ax: the axes to draw on; default: new ones.

        Returns:
            the axes.
        """
        pyplot = display.need("matplotlib.pyplot", "plot()")
        x = x or (self.varied or self.names)[0]
        y = y or (self.kept or self.names)[0]
        ax = display.axes(ax, pyplot)
        ax.plot(self[x], self[y], **{"marker": ".", "linestyle": "",
                                     **style})
        ax.set_xlabel(display.label(x, self.unit(x)))
        ax.set_ylabel(display.label(y, self.unit(y)))
        return ax

    def save(self, path: values.PathLike) -> None:
        """Writes `.csv`: `run`, `status` and the columns."""
        self._table.save(values.path(path))

    def __repr__(self) -> str:
        return f"<orrery.{type(self).__name__}: {self._line()}>"

    def _line(self) -> str:
        failed = int((self._table.status == 2).sum())
        missing = int((self._table.status == 0).sum())
        return (f"{self.name}: {self.runs} runs"
                + (f", {failed} failed" if failed else "")
                + (f", {missing} missing" if missing else "")
                + f", {len(self)} columns")

    def _repr_html_(self) -> str:
        most = 10
        rows = [[run + 1] + [_cell(self.texts(name)[run])
                             for name in self.names]
                for run in range(min(self.runs, most))]
        heads = ["run"] + [display.label(name, self.unit(name))
                           for name in self.names]
        return display.table(heads, rows) + display.page(
            display.paragraph(self._line()))

    def _ipython_key_completions_(self) -> Sequence[str]:
        return self.names


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclasses.dataclass(frozen=True)
class _Told:
    """What a sweep has to tell besides its table, for pickles."""

    replications: int
    is_interrupted: bool
    report: str
    its_failures: Sequence[Tuple[int, str]]
    its_warnings: Sequence[Diagnostic]

    def json(self) -> str:
        return self.report

    def failures(self) -> Sequence[Tuple[int, str]]:
        return self.its_failures

    def warnings(self) -> Sequence[Diagnostic]:
        return self.its_warnings


class Sweep(RunTable):
    """The runs of a sweep, a random experiment or a sensitivity analysis.

    >>> import orrery
    >>> model = orrery.modelica("model M parameter Real k = 1; Real x = k*k;"
    ...                         " end M;")
    >>> s = model.sweep({"k": [1, 2, 3]}, keep={"last": "final(x)"})
    >>> s["last"].tolist(), s.unit("k"), len(s.failures)
    ([1.0, 4.0, 9.0], '', 0)
    """

    def __init__(self, many: _orrery.ManyRuns, origin: Any = None) -> None:
        super().__init__(many.table, many.model)
        self._many = many
        self._origin = origin

    def __getstate__(self) -> Dict[str, Any]:
        its = self._many
        return {**super().__getstate__(), "_many": _Told(
            its.replications, its.is_interrupted, its.json(),
            list(its.failures()), list(its.warnings()))}

    def _to_save(self) -> Any:
        from orrery import store
        told = self.document["diagnostics"]
        failed = len(self.failures)
        its = store.ended(
            self._origin, self.name,
            "interrupted" if self._many.is_interrupted else "completed",
            f"{failed} of {self.runs} runs failed" if failed else "",
            json.dumps({"diagnostics": told}) if told else "")
        its.set_runs(self._table, self._many.failures())
        return its

    @property
    def failures(self) -> Dict[int, str]:
        """Why runs failed, by their numbers from 0."""
        return dict(self._many.failures())

    @property
    def warnings(self) -> List[Diagnostic]:
        """What runs warned of, each kind once."""
        return list(self._many.warnings())

    @property
    def replications(self) -> int:
        """Consecutive runs of one point."""
        return int(self._many.replications)

    def means(self) -> RunTable:
        """A row for each point, with means over its replications.

        After each mean follows `half_width(x)` of its 95 % interval.
        """
        return RunTable(self._table.means(self.replications), self.name)

    @property
    def document(self) -> Dict[str, Any]:
        """The report, as `orrery sweep --json` prints it."""
        return dict(json.loads(self._many.json()))

    @property
    def sensitivities(self) -> List[Dict[str, Any]]:
        """Of a sensitivity analysis: the effects on each number kept."""
        return list(self.document.get("sensitivities", []))

    def indices(self, number: Optional[str] = None) -> Any:
        """The effects on a number that was kept, as a DataFrame.

        Args:
            number: its column; default: the only one.

        Raises:
            ArgumentError: it was no sensitivity analysis, or there are
                several numbers.
        """
        pandas = display.need("pandas", "indices()")
        found = [its for its in self.sensitivities
                 if number is None or its["number"] == number]
        if len(found) != 1:
            known = [its["number"] for its in self.sensitivities]
            raise ArgumentError(f"cannot tell the effects on {number!r}: "
                                + (f"one of {known} is wanted" if known else
                                   "the runs are no sensitivity analysis"))
        its = found[0]
        method = next(name for name in ("local", "morris", "sobol")
                      if name in its)
        rows = [_flat(effect) for effect in its[method]]
        return pandas.DataFrame(rows).set_index("factor")


def _flat(effect: Mapping[str, Any]) -> Dict[str, Any]:
    """Intervals within an effect as columns: first, first_low, first_high."""
    row: Dict[str, Any] = {}
    for name, value in effect.items():
        if isinstance(value, dict):
            row[name] = value["value"]
            row.update({f"{name}_{end}": value[end]
                        for end in ("low", "high")})
        else:
            row[name] = value
    return row
