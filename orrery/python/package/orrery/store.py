"""Experiments in a file, which the command `orrery` shows and repeats, too."""
from __future__ import annotations

import dataclasses
import datetime
import json
import os
import time
from typing import (
    Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Union)

from orrery import display, values
from orrery._extension import _orrery
from orrery.errors import ArgumentError
from orrery.results import Result
from orrery.sweeps import RunTable

#: Where `save=` puts an experiment: True is orrery.db of the folder.
Save = Union[bool, str, bytes, "os.PathLike[str]", "Store"]


@dataclasses.dataclass
class Origin:
    """How an experiment came about: what repeats it. For internal use."""

    type: str
    json: str
    sources: Any
    report: str = ""


class Saved:
    """An experiment in a store; made by `Store`."""

    def __init__(self, store: "Store", info: Mapping[str, Any]) -> None:
        self._store = store
        self._info = dict(info)
        self.id = int(info["id"])
        self.type = str(info["type"])
        self.model = str(info["model"])
        self.status = str(info["status"])
        self.message = str(info["message"])
        self.created = datetime.datetime.fromtimestamp(
            info["created_ns"] * 1e-9)

    def _record(self) -> Dict[str, Any]:
        return dict(self._store._handle.read(self.id))

    @property
    def document(self) -> Dict[str, Any]:
        """What determines the experiment, to the last bit of its results."""
        return dict(json.loads(self._record()["document"]))

    @property
    def report(self) -> Dict[str, Any]:
        """What it came to, as `--json` prints it; empty for a sweep."""
        return dict(json.loads(self._record()["summary"] or "{}"))

    @property
    def notes(self) -> str:
        """Words about it."""
        return str(self._record()["notes"])

    @notes.setter
    def notes(self, text: str) -> None:
        self._store._handle.set_notes(self.id, text)

    @property
    def tags(self) -> List[str]:
        """Its tags, in alphabetical order."""
        return list(self._record()["tags"])

    def tag(self, tag: str) -> None:
        """Adds a tag."""
        self._store._handle.tag(self.id, tag)

    def untag(self, tag: str) -> None:
        """Removes a tag."""
        self._store._handle.untag(self.id, tag)

    @property
    def runs(self) -> RunTable:
        """The table of its runs."""
        return RunTable(self._store._handle.runs(self.id), self.model)

    def result(self, run: int = 0) -> Result:
        """The rows of a run, of those that are stored with their rows."""
        record = self._record()
        log = (self._store._handle.events(self.id, run)
               if run in record["event_logs"] else None)
        return Result(self._store._handle.trajectory(self.id, run),
                      name=self.model, events=log)

    def __repr__(self) -> str:
        return (f"<orrery.Saved {self.id}: {self.type} of {self.model}, "
                f"{self.status}>")


class Store:
    """A file of experiments, as the command saves them in orrery.db.

    >>> import orrery, tempfile
    >>> model = orrery.modelica("model M parameter Real k = 1; Real x = k*k;"
    ...                         " end M;")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = orrery.Store(folder + "/orrery.db")
    ...     sweep = model.sweep({"k": [1, 2]}, "x", save=store)
    ...     store[1].runs["x"].tolist(), len(store), store[1].type
    ([1.0, 4.0], 1, 'sweep')
    """

    def __init__(self, path: values.PathLike = "orrery.db") -> None:
        self.path = values.path(path)
        self._handle = _orrery.ExperimentStore(self.path)

    def __iter__(self) -> Iterator[Saved]:
        """The experiments, the newest first."""
        return (Saved(self, info) for info in self._handle.list())

    def __len__(self) -> int:
        return len(self._handle.list())

    def __getitem__(self, number: int) -> Saved:
        return Saved(self, self._handle.read(number))

    def delete(self, number: int) -> None:
        """Deletes an experiment with its results."""
        self._handle.delete(number)

    def save(self, experiment: Any, *, notes: str = "",
             tags: Iterable[str] = ()) -> Saved:
        """Saves the result of a run of equations or of an experiment.

        Raises:
            ArgumentError: it does not say how it came about: it was read from
                a file, or came through pickle.
        """
        maker: Optional[Callable[[], Any]] = getattr(
            experiment, "_to_save", None)
        ended = maker() if maker is not None else None
        if ended is None:
            raise ArgumentError(f"cannot save {experiment!r}: it does not say "
                                "how it came about; save it by save=True of "
                                "its experiment")
        ended.created_ns = time.time_ns()
        saved = self[self._handle.save(ended)]
        if notes:
            saved.notes = notes
        for tag in tags:
            saved.tag(tag)
        return saved

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each experiment."""
        pandas = display.need("pandas", "to_pandas()")
        return pandas.DataFrame(
            [{"id": its.id, "created": its.created, "type": its.type,
              "model": its.model, "status": its.status,
              "message": its.message} for its in self])

    def _repr_html_(self) -> str:
        return display.table(
            ["id", "created", "type", "model", "status", "message"],
            [[its.id, its.created.isoformat(" ", "seconds"), its.type,
              its.model, its.status, its.message] for its in self])

    def __repr__(self) -> str:
        return f"<orrery.Store {self.path}: {len(self)} experiments>"


def ended(origin: Origin, model: str, status: str, message: str = "",
          summary: str = "") -> Any:
    """An experiment to be saved, without its results. For internal use."""
    its = _orrery.EndedExperiment()
    its.type, its.json, its.sources = origin.type, origin.json, origin.sources
    its.model, its.message, its.summary = model, message, summary
    its.status = {"completed": "completed", "converged": "completed",
                  "found": "completed", "terminated": "completed",
                  "interrupted": "interrupted"}.get(status, "failed")
    return its


def save_to(save: Save, experiment: Any) -> None:
    """Saves an experiment where `save` says; does nothing for False."""
    if save is False or save is None:
        return
    if isinstance(save, Store):
        save.save(experiment)
    else:
        Store("orrery.db" if save is True else save).save(experiment)
