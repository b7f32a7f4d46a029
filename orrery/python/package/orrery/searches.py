"""The results of searches: of fits to data, and of optima."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

import numpy as np

from orrery import display
from orrery.errors import UnknownNameError, in_python
from orrery.results import Result
from orrery.sweeps import RunTable
from orrery.values import hint

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


def _number(value: Optional[float]) -> float:
    return float("nan") if value is None else float(value)


def _numbers(array: Any) -> Array:
    return np.array(array, float)  # None is NaN.


def _ended(its: Any, document: Mapping[str, Any]) -> Any:
    from orrery import store
    return store.ended(its._origin, document["model"], document["status"],
                       document["message"], its._report)


class Fit:
    """The estimates of a calibration; run the model with `fit.values`.

    `values`, `standard_errors` and `intervals` are by name; `covariance` and
    `correlation` matrices in the order of `names`. `runs` are the runs at the
    estimates, one for each run that was measured.

    >>> import orrery
    >>> model = orrery.modelica("model M parameter Real k = 1;"
    ...                         " Real x = k*time; end M;")
    >>> data = {"time": [0, 0.5, 1], "x": [0.1, 1, 2.1]}
    >>> fit = model.calibrate(data, {"k": (0, 9)})
    >>> round(fit.values["k"], 3), round(fit.standard_errors["k"], 3)
    (2.08, 0.069)
    >>> round(model.run(fit.values).final["x"], 3), fit.status
    (2.08, 'converged')
    """

    def __init__(self, report: str, trajectories: Sequence[Any],
                 warnings: Sequence[str], origin: Any = None) -> None:
        self._report = report
        self._origin = origin
        #: The report, as `orrery calibrate --json` prints it.
        self.document: Dict[str, Any] = json.loads(report)
        its = self.document["parameters"]
        self.names: List[str] = [p["name"] for p in its]
        self.values: Dict[str, float] = {
            p["name"]: _number(p["value"]) for p in its}
        self.units: Dict[str, str] = {p["name"]: p["unit"] for p in its}
        self.standard_errors: Dict[str, float] = {
            p["name"]: _number(p["standard_error"]) for p in its}
        self.intervals: Dict[str, Sequence[float]] = {
            p["name"]: tuple(_numbers(p["interval"])) for p in its
            if p["interval"]}
        size = len(self.names)
        covariance = _numbers(self.document["covariance"])
        self.covariance = (covariance.reshape(size, size)
                           if covariance.size == size * size
                           else np.full((size, size), np.nan))
        self.correlation = _numbers(self.document["correlation"])
        self.runs = [Result(run, name=self.document["model"])
                     for run in trajectories]
        #: Measurements that were left out, and why.
        self.warnings = list(warnings)

    @property
    def status(self) -> str:
        """"converged", "not converged", "interrupted" or "failed"."""
        return str(self.document["status"])

    def _to_save(self) -> Any:
        its = _ended(self, self.document)
        for run in self.runs:
            its.add_trajectory(run._trajectory)
        return its

    @property
    def findings(self) -> List[str]:
        """Reasons to doubt the estimates; may be none."""
        return [its["message"] for its in self.document["findings"]]

    @property
    def residuals(self) -> Array:
        """All residuals, in the order of runs, signals and times."""
        return np.concatenate(
            [_numbers(signal["residual"]) for run in self.document["data"]
             for signal in run["signals"]] or [np.empty(0)])

    def plot(self, ax: Any = None) -> Any:
        """What was measured as dots, and the runs at the estimates.

        Returns:
            the axes of matplotlib.
        """
        pyplot = display.need("matplotlib.pyplot", "plot()")
        ax = display.axes(ax, pyplot)
        for run, result in zip(self.document["data"], self.runs):
            for signal in run["signals"]:
                name = signal["name"]
                line, = ax.plot(result.time, result[name], label=name)
                ax.plot(signal["time"], signal["measured"], ".",
                        color=line.get_color())
        ax.set_xlabel("time [s]")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        parts = [f"{name} = {value:.6g} ± {self.standard_errors[name]:.2g}"
                 for name, value in self.values.items()]
        return (f"<orrery.Fit of {self.document['model']}: "
                f"{self.status}; {', '.join(parts)}>")

    def _repr_html_(self) -> str:
        rows = [[name, f"{value:.6g}", self.units[name],
                 f"{self.standard_errors[name]:.3g}",
                 " .. ".join(f"{end:.6g}" for end
                             in self.intervals.get(name, ()))]
                for name, value in self.values.items()]
        page = display.table(
            ["parameter", "value", "unit", "standard error", "interval"],
            rows)
        return page + display.page(*map(display.paragraph,
                                        [self.status] + self.findings))


class Optimum:
    """What an optimisation has found; run the model with `best.values`.

    `objective` is the value of what was minimised or maximised, `result` the
    run at the optimum (None if the search was interrupted), `history` the
    points that were evaluated.

    >>> import orrery
    >>> model = orrery.modelica("model M parameter Real k = 1;"
    ...                         " Real x = (k - 3)^2 + 1; end M;")
    >>> best = model.optimize({"k": (0, 9)}, minimize="final(x)")
    >>> round(best.values["k"], 3), round(best.objective, 3)
    (3.0, 1.0)
    """

    def __init__(self, report: str, history: Any, trajectory: Any,
                 failures: Sequence[Any] = (), origin: Any = None) -> None:
        self._report = report
        self._failures = list(failures)
        self._origin = origin
        #: The report, as `orrery optimize --json` prints it.
        self.document: Dict[str, Any] = json.loads(report)
        self.name = str(self.document["model"])
        self.history = RunTable(history, self.name)
        its = self.document.get("values") or []
        self.values: Dict[str, float] = {
            value["name"]: _number(value["value"]) for value in its}
        self.objective = _number(
            (self.document.get("objective") or {}).get("value"))
        self.result = (None if trajectory is None
                       else Result(trajectory, name=self.name))

    @property
    def status(self) -> str:
        """How the search ended: "completed", "interrupted"..."""
        return str(self.document["status"])

    @property
    def failures(self) -> Dict[int, str]:
        """Why points failed, by their rows of `history` from 0."""
        return dict(self._failures)

    def _to_save(self) -> Any:
        its = _ended(self, self.document)
        its.set_runs(self.history._table, self._failures)
        if self.result is not None:
            its.add_trajectory(self.result._trajectory)
        return its

    @property
    def warnings(self) -> List[str]:
        """What the run at the optimum warns of, and reasons to doubt it."""
        return [in_python(its["message"])
                for its in self.document["diagnostics"]]

    @property
    def constraints(self) -> List[Mapping[str, Any]]:
        """The conditions, whether they hold, and which are active."""
        return list(self.document["constraints"] or [])

    def plot(self, *curves: str, **style: Any) -> Any:
        """Draws the run at the optimum: see `Result.plot`."""
        if self.result is None:
            raise ValueError("cannot plot: no optimum was found")
        return self.result.plot(*curves, **style)

    def __repr__(self) -> str:
        parts = [f"{name} = {value:.6g}"
                 for name, value in self.values.items()]
        return (f"<orrery.Optimum of {self.name}: {self.objective:.6g} at "
                f"{', '.join(parts)}>")

    def _repr_html_(self) -> str:
        rows = [[its["name"], f"{its['value']:.6g}", its["unit"],
                 its["at_bound"] or ""] for its in self.document["values"]
                or []]
        page = display.table(["quantity", "value", "unit", "at bound"], rows)
        goal = (f"{self.document['goal']} {self.document['objective']['name']}"
                f": {self.objective:.6g}")
        return page + display.page(*map(display.paragraph,
                                        [goal] + self.warnings))


class Front:
    """The best compromises between several objectives (Pareto).

    `front["name"]` is an array over the points of the front, of a quantity or
    an objective.
    """

    def __init__(self, report: str, history: Any,
                 failures: Sequence[Any] = (), origin: Any = None) -> None:
        self._report = report
        self._failures = list(failures)
        self._origin = origin
        #: The report, as `orrery optimize --json` prints it.
        self.document: Dict[str, Any] = json.loads(report)
        self.name = str(self.document["model"])
        self.history = RunTable(history, self.name)
        self.objectives = [its["name"] for its in self.document["objectives"]]
        points = self.document["front"]
        self._columns: Dict[str, Array] = {}
        for name in (points[0]["values"] if points else ()):
            self._columns[name] = _numbers(
                [point["values"][name] for point in points])
        for i, name in enumerate(self.objectives):
            self._columns[name] = _numbers(
                [point["objectives"][i] for point in points])

    @property
    def status(self) -> str:
        """How the search ended: "completed", "interrupted"..."""
        return str(self.document["status"])

    @property
    def failures(self) -> Dict[int, str]:
        """Why points failed, by their rows of `history` from 0."""
        return dict(self._failures)

    def _to_save(self) -> Any:
        its = _ended(self, self.document)
        its.set_runs(self.history._table, self._failures)
        return its

    def __getitem__(self, name: str) -> Array:
        if name in self._columns:
            return self._columns[name]
        raise UnknownNameError(f"no quantity or objective '{name}' in the "
                               f"front of {self.name}"
                               + hint(str(name), self._columns))

    def __len__(self) -> int:
        return len(self.document["front"])

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each point of the front."""
        pandas = display.need("pandas", "to_pandas()")
        return pandas.DataFrame(self._columns)

    def plot(self, ax: Any = None) -> Any:
        """Draws the second objective over the first."""
        pyplot = display.need("matplotlib.pyplot", "plot()")
        ax = display.axes(ax, pyplot)
        x, y = self.objectives[:2]
        ax.plot(self[x], self[y], ".")
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        return ax

    def __repr__(self) -> str:
        return (f"<orrery.Front of {self.name}: {len(self)} points of "
                f"{', '.join(self.objectives)}>")
