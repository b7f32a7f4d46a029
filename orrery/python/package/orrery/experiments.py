"""Experiments of many runs on a model of any kind, and analyses."""
from __future__ import annotations

import os
import warnings
from typing import (
    Any, Callable, Collection, Dict, List, Mapping, Optional, Sequence)

from orrery import documents, measurements, ranges, tables, values
from orrery import progress as progress_of
from orrery._extension import _orrery
from orrery.analyses import FrequencyResponse, LinearSystem, SteadyPoint
from orrery.errors import ArgumentError, RunError
from orrery.runs import ended_run
from orrery.searches import Fit, Front, Optimum
from orrery.store import Origin, Save
from orrery.subject import Task
from orrery.sweeps import Sweep


def _jobs(jobs: Optional[int]) -> int:
    """The number of threads; by default one for each processor."""
    if jobs is None:
        return len(os.sched_getaffinity(0))
    return values.count(jobs, "jobs") or 1


def _carried_out(progress: progress_of.Progress,
                 work: Callable[[Callable[..., Any]], Any]) -> Any:
    """Does `work`, which gets a function of the number of runs that begins
    the progress."""
    bar = progress_of.Late(progress, " runs")
    try:
        return work(lambda runs=0: bar.begin(0, runs))
    finally:
        bar.close()


class Experiments:
    """What models of all kinds can do besides single runs.

    All take `settings` (values that all runs share, by name) and, but for
    `steady`, the options of `run`: `stop`, `tolerance`, `inputs`, `seed`...
    Those of many runs take `jobs`, the number of threads, which changes no
    result; and `progress`, True for a bar or a function. Ctrl-C ends them by
    `Interrupted`, whose `result` has what is done by then. `save` is False,
    True for orrery.db, a file or a `Store`; not for `frequency`.
    """

    def _subject(self, run: Dict[str, Any], settings: Mapping[str, Any],
                 varied: Collection[str] = ()) -> Any:
        """The document of a run, its files, and a model made in Python.

        What a model was loaded with yields to what is `varied`.
        """
        raise NotImplementedError

    def _first_time(self) -> float:
        """When a run begins unless told otherwise, s."""
        return 0.0

    def _begun(self, settings: Mapping[str, Any],
               others: Collection[str] = ()) -> Mapping[str, Any]:
        """Settings, of a `final` only those that begin a run and are none of
        the `others`."""
        return settings

    def _unit_of(self, name: str) -> Optional[str]:
        """The unit of a quantity; None if there is no such quantity."""
        raise NotImplementedError

    def _in_unit(self, name: str, value: Any) -> Any:
        """A text with a unit as a number in the unit of the quantity; else
        the value."""
        if not isinstance(value, str):
            return value
        unit = self._unit_of(name)
        number = None if unit is None else _orrery.in_unit(value, name, unit)
        return value if number is None else number

    def sweep(self, vary: Optional[Mapping[str, Any]] = None,
              keep: Optional[ranges.Keep] = None, *,
              settings: Optional[Mapping[str, Any]] = None,
              design: Optional[str] = None,
              runs: Optional[int] = None,
              replications: Optional[int] = None,
              until_known: Any = None,
              correlate: Optional[Mapping[Any, float]] = None,
              points: Any = None,
              jobs: Optional[int] = None,
              progress: progress_of.Progress = False,
              save: Save = False,
              **options: Any) -> Sweep:
        """Runs the model at many points.

        Args:
            vary: ranges by name: "3:0.5:5", "normal(4, 0.2)", a list or an
                array of values, bounds (low, high); single values may have
                units, ["1 kN", "2 kN"]. Lists and steps make a grid; bounds
                and distributions are drawn at random.
            keep: what to keep of each run: "max(v)", "peak=max(v)",
                {"peak": "max(v)"}; a name alone is its final value. Default:
                the final values of all that moves.
            design: "grid", "list", "random", "latin-hypercube" or "sobol".
            runs: points that are drawn (default 1000).
            replications: runs of each point of a grid, with random numbers of
                their own.
            until_known: {"x": 0.01} or "x=1%": goes on until the mean of a
                column is known so well.
            correlate: {("a", "b"): 0.5}, of random quantities.
            points: a CSV file, a DataFrame, a dict of columns or a list of
                dicts: a row a run.
            settings, jobs, progress, save, options: see `Experiments`.

        Raises:
            ArgumentError: a name, a range or a measure is wrong.
        """
        fields = {
            "vary": ranges.vary_of(vary, self._in_unit),
            "keep": ranges.keep_of(keep),
            "points": values.count(runs, "runs"),
            "replications": replications, "design": design,
            "until_known": _known(until_known),
            "correlate": _correlations(correlate)}
        varied = list(vary or ())
        sources: documents.Sources = []
        if values.is_path(points):
            file = values.path(points)
            fields["table"] = file
            varied += _orrery.read_names(file)
        elif points is not None:
            columns = tables.points_of(points)
            fields["table"] = "points.csv"
            sources.append(("points.csv", documents.csv_of(columns)))
            varied += [name for name, _, _ in columns[1]]
        task = Task(self, settings, options, "sweep", varied)
        task.sources += sources
        return self._sweep(task, "sweep", fields, jobs, progress, save)

    def monte_carlo(self, vary: Mapping[str, Any],
                    keep: Optional[ranges.Keep] = None, *,
                    runs: int = 1000, design: str = "random",
                    **others: Any) -> Sweep:
        """Runs the model at random points: `sweep` with a random design.

        Args:
            vary: distributions or bounds by name: "normal(4, 0.2)", (1, 3).
            runs: how many.
            design: "random", "latin-hypercube" or "sobol".
            keep, others: as for `sweep`.
        """
        return self.sweep(vary, keep, runs=runs, design=design, **others)

    def sensitivity(self, vary: Mapping[str, Any],
                    keep: Optional[ranges.Keep] = None, *,
                    method: str = "morris",
                    settings: Optional[Mapping[str, Any]] = None,
                    samples: Optional[int] = None,
                    group: Optional[Mapping[str, Sequence[str]]] = None,
                    correlate: Optional[Mapping[Any, float]] = None,
                    second_order: bool = False,
                    jobs: Optional[int] = None,
                    progress: progress_of.Progress = False,
                    save: Save = False,
                    **options: Any) -> Sweep:
        """Finds what results depend on: see `Sweep.indices`.

        Args:
            method: "morris" (which matter, by few runs), "sobol" (parts of
                the variance) or "local" (exact derivatives at a point).
            samples: trajectories of Morris (10), base samples of Sobol'
                (1024).
            group: {"both": ["a", "b"]}: factors that move together.
            second_order: Sobol': pairs of factors, too.
            vary, keep, correlate and others: as for `sweep`.
        """
        task = Task(self, settings, options, "sensitivity", vary)
        return self._sweep(task, "sensitivity", {
            "vary": ranges.vary_of(vary, self._in_unit),
            "keep": ranges.keep_of(keep),
            "points": values.count(samples, "samples"), "sensitivity": method,
            "second_order": second_order,
            "correlate": _correlations(correlate),
            "group": [f"{name}={','.join(its)}"
                      for name, its in (group or {}).items()]},
            jobs, progress, save)

    def _threads(self, jobs: Optional[int]) -> int:
        """The number of threads; warns if they are of no use."""
        threads = _jobs(jobs)
        if threads > 1 and getattr(self, "calls_python", False):
            warnings.warn(
                "runs of this model take turns: its equations call functions "
                "of Python (orrery.opaque), one at a time; formulas in their "
                "place run in parallel", RuntimeWarning, stacklevel=4)
        return threads

    def _sweep(self, task: Task, kind: str, fields: Dict[str, Any],
               jobs: Optional[int], progress: progress_of.Progress,
               save: Save) -> Sweep:
        text = task.with_part("sweep", fields)
        many, exception = _carried_out(progress, lambda bar: _orrery.sweep(
            text, task.sources, task.made, self._threads(jobs),
            bar if progress else None))
        sweep = Sweep(many, Origin(kind, text, task.sources))
        return ended_run(sweep, save, exception,
                         f"interrupted: {sweep._line()}")

    def calibrate(self, data: Any, vary: Mapping[str, Any], *,
                  settings: Optional[Mapping[str, Any]] = None,
                  match: Optional[Mapping[str, str]] = None,
                  sigma: Any = None, log: bool = False,
                  noise: Optional[str] = None, loss: Optional[str] = None,
                  starts: Optional[int] = None,
                  confidence: Optional[float] = None,
                  profile: bool = False,
                  max_iterations: Optional[int] = None,
                  check: bool = True, jobs: Optional[int] = None,
                  progress: progress_of.Progress = False,
                  save: Save = False,
                  **options: Any) -> Fit:
        """Estimates parameters and start values from measured data.

        Args:
            data: what was measured in a run: a CSV file over "time", a
                DataFrame or a dict of columns; a list for several runs. A
                pair (data, settings) has values that hold in its run only.
                NaN is a gap, of which `Fit.warnings` tells.
            vary: bounds by name: (low, high), (guess, low, high), or a text
                such as "log[0.1,10]".
            match: {signal: column}; default: columns called as signals.
            sigma: the standard deviation of the values: a number, "5%", a
                column; or a dict of these by signal.
            log: compares logarithms.
            noise: "common" or "by-signal".
            loss: "square", "huber", "soft-l1", "cauchy" or "tukey".
            starts: searches from so many points.
            confidence: of the intervals (0.95); profile: those of the
                likelihood, too.
            check: False returns a fit that has not converged.

        Raises:
            ArgumentError: the data lack a column, or do not suit the run.
            RunError: it has not converged; `error.result` is the fit.
        """
        task = Task(self, settings, options, "calibrate", vary)
        several = data if isinstance(data, list) else [data]
        files, sources, measured = measurements.collect(
            several, task.document.get("start", self._first_time()),
            task.document.get("stop"))
        task.sources += sources
        sigmas = (ranges.assignments(sigma, self._in_unit)
                  if hasattr(sigma, "items")
                  else [] if sigma is None
                  else [values.text_of("sigma", sigma)])
        text = task.with_part("calibration", {
            "vary": ranges.vary_of(vary, self._in_unit),
            "data": files, "match": ranges.assignments(match), "sigma": sigmas,
            "log": log, "noise": noise, "loss": loss,
            "starts": values.count(starts, "starts"),
            "confidence": confidence, "profile": profile,
            "max_iterations": max_iterations})
        report, runs, warnings, exception = _carried_out(
            progress, lambda bar: _orrery.calibrate(
                text, task.sources, task.made, self._threads(jobs),
                bar() if progress else None))
        gaps = measurements.gaps_in(measured, report, match)
        fit = Fit(report, runs, gaps + list(warnings),
                  Origin("calibration", text, task.sources))
        return ended_run(
            fit, save, exception, f"interrupted: {fit!r}",
            RunError(f"cannot calibrate {fit.document['model']}: "
                     f"{fit.document['message'] or fit.status}", result=fit)
            if check and fit.status != "converged" else None)

    def optimize(self, vary: Mapping[str, Any], *,
                 minimize: Any = None, maximize: Any = None,
                 subject_to: Any = None,
                 settings: Optional[Mapping[str, Any]] = None,
                 method: Optional[str] = None,
                 max_evaluations: Optional[int] = None,
                 search_tolerance: Optional[float] = None,
                 starts: Optional[int] = None, runs: Optional[int] = None,
                 check: bool = True, jobs: Optional[int] = None,
                 progress: progress_of.Progress = False,
                 save: Save = False,
                 **options: Any) -> Any:
        """Finds values that make a measure small or large.

        Args:
            vary: bounds by name: (low, high), (guess, low, high), or a text
                such as "integer[1,5]".
            minimize, maximize: a measure, "integral(e^2)"; several, as a
                list, have their Pareto front sought.
            subject_to: conditions, ["max(i) <= 12"].
            method: of the search, not of the run; default "auto".
            max_evaluations: of points at most.
            search_tolerance: part of the ranges below which steps end it.
            starts: searches from so many points.
            runs: for each point, of models with random numbers.
            check: False returns a search that found nothing that fits.

        Returns:
            an `Optimum`; with several measures a `Front`.

        Raises:
            RunError: no point meets all conditions; has a `result`.
        """
        task = Task(self, settings, options, "optimize", vary)
        least = values.names(minimize, "minimize") if minimize else []
        most = values.names(maximize, "maximize") if maximize else []
        goals = ([("minimize", its) for its in least]
                 + [("maximize", its) for its in most])
        if not goals:
            raise ArgumentError("cannot optimise: say what, as in "
                                "minimize=\"integral(e^2)\"")
        text = task.with_part("optimization", {
            goals[0][0]: goals[0][1],
            "others": [{goal: measure} for goal, measure in goals[1:]],
            "vary": ranges.vary_of(vary, self._in_unit), "method": method,
            "max_evaluations": max_evaluations,
            "subject_to": (values.names(subject_to, "subject_to")
                           if subject_to else None),
            "tolerance": search_tolerance,
            "starts": values.count(starts, "starts"),
            "runs": values.count(runs, "runs")})
        report, history, failures, best, exception = _carried_out(
            progress, lambda bar: _orrery.optimize(
                text, task.sources, task.made, self._threads(jobs),
                bar() if progress else None))
        origin = Origin("optimization", text, task.sources)
        found: Any = (Front(report, history, failures, origin)
                      if len(goals) > 1 else
                      Optimum(report, history, best, failures, origin))
        return ended_run(
            found, save, exception, f"interrupted: {found!r}",
            RunError(f"cannot optimise {found.name}: "
                     f"{found.document['message'] or found.status}",
                     result=found)
            if check and found.status != "completed" else None)

    def steady(self, fix: Optional[Mapping[str, Any]] = None, *,
               settings: Optional[Mapping[str, Any]] = None,
               bounds: Optional[Mapping[str, Sequence[Any]]] = None,
               free: Any = None, moving: Any = None,
               minimize: Optional[str] = None,
               maximize: Optional[str] = None,
               time: Optional[values.Time] = None,
               check: bool = True, save: Save = False) -> SteadyPoint:
        """Finds a state in which the model stands still.

        Inputs that `settings` and `fix` leave open are found, too, whatever
        their start values: see `SteadyPoint.freed`.

        Args:
            fix: values by name, of states, inputs or any quantities: numbers,
                or texts with a unit, "5 cm".
            bounds: (low, high) by name; None is no bound.
            free: inputs to be found although they are set, or first guesses
                by name.
            moving: states whose derivatives need not be 0.
            minimize, maximize: a quantity to be as small or large as all that
                allows.
            time: at which it stands still; default: the model's start.
            check: False returns what was found in any case.

        Raises:
            RunError: there is none; `error.result` is the nearest point.
        """
        task = Task(self, settings, {"start": time}, "steady", fix)
        conditions = ranges.without_defaults({
            "fix": ranges.assignments(fix, self._in_unit),
            "bound": ranges.bounds_of(bounds, self._in_unit),
            "free": ranges.optional_values(free, "free", self._in_unit),
            "moving": values.names(moving, "moving") if moving else None,
            "minimize": minimize, "maximize": maximize})
        task.document["steady"] = conditions
        text = documents.dumps(task.document)
        report = _orrery.steady(text, task.sources, task.made)
        point = SteadyPoint(report, task,
                            Origin("steady-state", text, task.sources))
        return ended_run(
            point, save, None, "",
            RunError(f"no steady state of {point.name}: "
                     f"{point.document['message']}", result=point)
            if check and not point.found else None)

    def linearize(self, inputs: Any = None, outputs: Any = None, *,
                  settings: Optional[Mapping[str, Any]] = None,
                  save: Save = False, **options: Any) -> LinearSystem:
        """The linear system at the start or, with `stop`, at that time.

        Around a steady state: `model.steady(...).linearize()`.

        Args:
            inputs: names; default: all inputs.
            outputs: names of any Real quantities; default: the outputs.
        """
        system = Task(self, settings, options, "linearize").linearize(
            inputs, outputs)
        return ended_run(system, save, None, "")

    def frequency(self, channels: Any = None, *, frequencies: Any = None,
                  at_steady_state: bool = False,
                  settings: Optional[Mapping[str, Any]] = None,
                  **options: Any) -> List[FrequencyResponse]:
        """Frequency responses, "u:y" each; default: of all channels.

        Args:
            frequencies: rad/s, or a text as "logspace(-1,2,200)"; default:
                around poles and zeros.
            at_steady_state: near the start, in place of the start.
        """
        return Task(self, settings, options, "frequency").responses(
            values.names(channels, "channels") if channels else [],
            frequencies, {"at": "steady" if at_steady_state else None})


def _known(until_known: Any) -> str:
    if until_known is None or isinstance(until_known, str):
        return until_known or ""
    return ",".join(ranges.assignments(until_known))


def _correlations(given: Optional[Mapping[Any, float]]) -> List[str]:
    return [f"{','.join(names)}={values.text_of('correlate', number)}"
            for names, number in (given or {}).items()]
