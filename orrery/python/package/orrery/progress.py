"""Tells how far a run is."""
import sys
from typing import Any, Callable, Optional, Union

Progress = Union[bool, Callable[[float], Any]]


class _Line:
    """A line on the terminal, where tqdm is not installed."""

    def __init__(self, begin: float, end: float) -> None:
        self._begin, self._span = begin, end - begin
        self._told = False

    def __call__(self, now: float) -> None:
        told = (f"{min((now - self._begin) / self._span, 1):4.0%}"
                if self._span > 0 else f"{now:.6g}")
        sys.stderr.write(f"\r{told:12}")
        sys.stderr.flush()
        self._told = True

    def close(self) -> None:
        if self._told:
            sys.stderr.write("\r" + 12 * " " + "\r")
            sys.stderr.flush()


class _Bar:
    """A bar of tqdm: in notebooks, too."""

    def __init__(self, tqdm: Any, begin: float, end: float,
                 unit: str) -> None:
        self._begin = begin
        self._bar = tqdm(total=end - begin, unit=unit, leave=False)

    def __call__(self, now: float) -> None:
        self._bar.update(now - self._begin - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class _Caller:
    """A function of the user."""

    def __init__(self, function: Callable[[float], Any]) -> None:
        self._function = function

    def __call__(self, now: float) -> None:
        self._function(now)

    def close(self) -> None:
        pass


class Late:
    """A progress that begins when the work knows its bounds."""

    def __init__(self, progress: Progress, unit: str = "s") -> None:
        self._progress = progress
        self._unit = unit
        self._bar: Any = None

    def begin(self, begin: float = 0, end: float = 0) -> Any:
        """As `start`."""
        self._bar = start(self._progress, begin, end, self._unit)
        return self._bar

    def close(self) -> None:
        """Ends what has begun."""
        if self._bar is not None:
            self._bar.close()


def start(progress: Progress, begin: float, end: float,
          unit: str = "s") -> Optional[Any]:
    """What is called with the time reached, at most 20 times a second.

    Args:
        progress: False for nothing; True for a bar; or a function of the time
            (in sweeps: the number of runs that are done).

    Returns:
        an object to be called, and closed at the end; None for nothing.

    >>> start(False, 0, 1) is None
    True
    """
    if progress is False or progress is None:
        return None
    if callable(progress):
        return _Caller(progress)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(begin, end)
    return _Bar(tqdm, begin, end, unit)
