"""How runs and experiments of all kinds end early."""
from typing import Any, Callable

from orrery.errors import Interrupted, ModelError, RunError


def raise_stopped(exception: Any, result: Any, interrupted: str) -> None:
    """Raises what stopped a run or an experiment, with its `result` up to
    then; does nothing for None. Ctrl-C becomes an `Interrupted` with the
    message `interrupted`."""
    if exception is None:
        return
    if isinstance(exception, KeyboardInterrupt):
        raise Interrupted(interrupted, result) from None
    exception.result = result
    raise exception


def carry_out(name: str, act: Callable[..., Any], arguments: Any,
              now: Callable[[], float], result: Callable[[], Any]) -> Any:
    """Calls `act`. A failure of the model `name` becomes a `RunError`, and
    Ctrl-C an `Interrupted`, with the result up to then."""
    try:
        return act(*arguments)
    except ModelError as error:
        cause = error.__cause__
        if not isinstance(cause, KeyboardInterrupt):
            raise RunError(f"{name}: {error.message}", error.diagnostics,
                           result()) from cause
    except KeyboardInterrupt:
        pass
    raise Interrupted(f"interrupted at t = {now():g} s", result()) from None
