"""Many runs of one model of tasks, by one process or several."""
import pickle
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from orrery import _orrery, display
from orrery.errors import ArgumentError, UnknownNameError

Job = Tuple[type, Tuple[Any, ...], Any, int, Optional[Callable[..., Any]]]


class Replications:
    """The measures of several runs: `runs["wait.mean"]` is an array.

    `seeds` are those of the runs, which repeat them: `model.run(seed=...)`.
    """

    def __init__(self, seeds: List[int], rows: List[Dict[str, float]]) -> None:
        self.seeds = seeds
        self.rows = rows

    @property
    def names(self) -> List[str]:
        """The names of all measures."""
        return list(self.rows[0]) if self.rows else []

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise UnknownNameError(f"no measure '{name}'; there are "
                                   + ", ".join(self.names))
        return np.array([row[name] for row in self.rows])

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each run, by its seed."""
        pandas = display.need("pandas", "to_pandas()")
        return pandas.DataFrame(
            self.rows, index=pandas.Index(self.seeds, name="seed"))

    def __repr__(self) -> str:
        return f"<{len(self)} runs: {', '.join(self.names[:8])}>"


def _run_once(job: Job) -> Dict[str, float]:
    cls, arguments, stop, seed, measure = job
    model = cls(*arguments)
    model.run(stop, seed=seed, spans=False)
    return dict(model.measures() if measure is None else measure(model))


def _check_can_be_sent(job: Job) -> None:
    for thing in (job[0], job[4], *job[1]):
        try:
            pickle.dumps(thing)
        except Exception as error:
            name = getattr(thing, "__qualname__", None) or repr(thing)
            raise ArgumentError(
                f"cannot send '{name}' to another process: {error}; define it "
                "at the top of a module, or give jobs=1") from None


def _context() -> Any:
    import multiprocessing
    # A class typed at a prompt cannot be imported by a new process.
    main = sys.modules.get("__main__")
    has_file = getattr(main, "__file__", None) is not None
    return multiprocessing.get_context("forkserver" if has_file else "fork")


def replicate(cls: type, arguments: Tuple[Any, ...], count: int, stop: Any,
              seed: int, jobs: int,
              measure: Optional[Callable[..., Any]]) -> Replications:
    """Carries out the runs; see `Tasks.replicate`."""
    if count < 1 or jobs < 1:
        raise ArgumentError(
            f"cannot make {count} runs with {jobs} jobs: give 1 or more")
    seeds = [_orrery.replication_seed(seed, i) for i in range(count)]
    work: List[Job] = [(cls, arguments, stop, one, measure) for one in seeds]
    if jobs == 1:
        return Replications(seeds, [_run_once(job) for job in work])
    _check_can_be_sent(work[0])
    import concurrent.futures
    with concurrent.futures.ProcessPoolExecutor(
            min(jobs, count), mp_context=_context()) as pool:
        return Replications(seeds, list(pool.map(_run_once, work)))
