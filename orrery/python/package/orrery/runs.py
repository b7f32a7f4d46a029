"""How runs and experiments of all kinds end early."""
import sys
from typing import Any, Callable, Optional, TypeVar

from orrery.errors import Error, Interrupted, ModelError, RunError
from orrery.store import Save, save_to

Ended = TypeVar("Ended")


def ended_run(result: Ended, save: Save, exception: Any, interrupted: str,
              failure: Optional[Error] = None,
              cause: Optional[BaseException] = None) -> Ended:
    """Saves the result of a run or an experiment where `save` says, and
    raises what ended it: what stopped it, as `raise_stopped`, else its
    `failure`, if that is not None.

    Nothing is lost if it cannot be saved: what ended it is raised on top of
    that, and the error has the `result`.
    """
    try:
        save_to(save, result)
    except BaseException as error:
        error.result = result  # type: ignore[attr-defined]
        raise
    finally:
        raise_stopped(exception, result, interrupted)
        if failure is not None and cause is not None:
            raise failure from cause
        if failure is not None:
            raise failure
    return result


def raise_stopped(exception: Any, result: Any, interrupted: str) -> None:
    """Raises what stopped a run or an experiment, with its `result` up to
    then; does nothing for None. Ctrl-C becomes an `Interrupted` with the
    message `interrupted`."""
    if exception is None:
        return
    if isinstance(exception, KeyboardInterrupt):
        raise Interrupted(interrupted, result)
    exception.result = result
    raise exception


def with_origins(act: Callable[..., Ended], *arguments: Any) -> Ended:
    """Calls `act`. Python's warning about a coroutine that nobody awaits then
    has the line that made it."""
    depth = sys.get_coroutine_origin_tracking_depth()
    sys.set_coroutine_origin_tracking_depth(max(depth, 1))
    try:
        return act(*arguments)
    finally:
        sys.set_coroutine_origin_tracking_depth(depth)


def carry_out(name: str, act: Callable[..., Any], arguments: Any,
              now: Callable[[], float], result: Callable[[], Any]) -> Any:
    """Calls `act`. A failure of the model `name` becomes a `RunError`, and
    Ctrl-C an `Interrupted`, with the result up to then."""
    try:
        return with_origins(act, *arguments)
    except ModelError as error:
        cause = error.__cause__
        if not isinstance(cause, KeyboardInterrupt):
            raise RunError(f"{name}: {error.message}", error.diagnostics,
                           result()) from cause
    except KeyboardInterrupt:
        pass
    raise Interrupted(f"interrupted at t = {now():g} s", result()) from None
