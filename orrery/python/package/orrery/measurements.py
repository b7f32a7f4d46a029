"""What was measured of runs, to which a calibration fits a model."""
from __future__ import annotations

import json
from typing import Any, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from orrery import documents, ranges, tables, values
from orrery.errors import ArgumentError


def collect(data: Sequence[Any], start: float, stop: Optional[float]
            ) -> Tuple[List[str], documents.Sources, List[tables.Columns]]:
    """The data of several runs as texts, files in memory and columns.

    Args:
        data: for each run a file, a DataFrame, a dict of columns, or a pair
            of one of these and of settings that hold in its run only.
        start, stop: of each run, s; without a stop it ends with its data.

    Raises:
        ArgumentError: the data of a run would silently be misread.
    """
    texts: List[str] = []
    sources: documents.Sources = []
    measured: List[tables.Columns] = []
    for i, its in enumerate(data):
        its, settings = its if isinstance(its, tuple) else (its, None)
        columns = tables.inputs_of(its, "data")[1]
        if values.is_path(its):
            name = values.path(its)
        else:
            name = f"the data of run {i + 1}" if len(data) > 1 else "the data"
            sources.append((name, documents.csv_of((name, columns))))
        _check((name, columns), is_only=len(data) == 1, start=start, stop=stop)
        measured.append((name, columns))
        texts.append(", ".join([documents.quoted(name)]
                               + ranges.assignments(settings)))
    return texts, sources, measured


def _check(data: tables.Columns, *, is_only: bool, start: float,
           stop: Optional[float]) -> None:
    """Refuses measurements that a fit would silently misread.

    Args:
        data: with a column "time".
        is_only: no other run was measured.

    Raises:
        ArgumentError: a time is missing, goes back or is outside of the run;
            or there is one row alone.
    """
    name, columns = data
    found = [(numbers, unit) for title, unit, numbers in columns
             if title == "time"]
    if not found:
        return
    time, unit = found[0]
    for row in np.flatnonzero(~np.isfinite(time)):
        raise ArgumentError(f"cannot calibrate against {name}: the time in "
                            f"row {row + 1} is {time[row]}; each row needs a "
                            "time")
    for row in np.flatnonzero(np.diff(time) < 0):
        raise ArgumentError(
            f"cannot calibrate against {name}: the time in row {row + 2}, "
            f"{time[row + 1]:g}, is before the one in row {row + 1}, "
            f"{time[row]:g}; sort the rows by time")
    if is_only and len(time) == 1:
        raise ArgumentError(f"cannot calibrate against {name}: it has one "
                            "row; give two or more, or a list of several runs")
    if unit not in ("", "s"):
        return
    slack = 1e-9 * max(1.0, float(np.abs(time).max(initial=0)))
    for row in np.flatnonzero(time < start - slack):
        raise ArgumentError(
            f"cannot calibrate against {name}: row {row + 1}, at "
            f"{time[row]:g} s, is before the run, which starts at {start:g} "
            "s; give another start=, or leave the row out")
    if stop is not None:
        for row in np.flatnonzero(time > stop + slack):
            raise ArgumentError(
                f"cannot calibrate against {name}: row {row + 1}, at "
                f"{time[row]:g} s, is after the run, which stops at {stop:g} "
                "s; give a later stop=, or leave the row out")


def gaps_in(measured: Sequence[tables.Columns], report: str,
            match: Optional[Mapping[str, str]]) -> List[str]:
    """A warning for each column in which values are missing, of those that
    the report says were compared with signals."""
    compared = {(match or {}).get(signal["name"], signal["name"])
                for run in json.loads(report)["data"]
                for signal in run["signals"]}
    told = []
    for name, columns in measured:
        for title, _, numbers in columns:
            rows = np.flatnonzero(np.isnan(numbers))
            if title in compared and len(rows):
                told.append(
                    f"{name}: column '{title}' has no value in {len(rows)} of "
                    f"{len(numbers)} rows, the first of them row "
                    f"{rows[0] + 1}; they are left out")
    return told
