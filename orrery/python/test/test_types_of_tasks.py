"""What type checkers and editors are told of the extension."""
import pathlib
import subprocess
import sys

import pytest

import orrery
from orrery import _orrery

pytest.importorskip("mypy")

EXAMPLE = '''
from typing import Any, Generator

from orrery import (
    Level, Monitor, Random, Resource, Tasks, any_of, delay, until)


class Bank(Tasks):
    counter, waits, level = Resource(2), Monitor(unit="s"), Level(3)

    def start(self) -> None:
        self.spawn(self.customers(self.random("arrivals")))

    def customers(self, rng: Random) -> Generator[Any, Any, None]:
        for _ in range(10):
            yield rng.exponential(30)
            self.spawn(self.customer(self.now))
        yield until((self.level > 3) & (self.level < 4))

    async def customer(self, arrived: float) -> None:
        teller, late = await any_of(self.counter.acquire(), delay("5 min"))
        if late:
            return
        with teller:
            self.waits.add(self.now - arrived)
            await delay(100)


reveal_type(Bank().run(stop="8 h", seed=1).end)
reveal_type(Bank().counter.acquire())
'''


def test_a_model_of_tasks_is_checked_strictly(tmp_path):
    (tmp_path / "example.py").write_text(EXAMPLE)
    # Files beside the example are not of interest.
    package = pathlib.Path(orrery.__file__).parent.parent
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent",
         "--cache-dir", str(tmp_path / "cache"), "example.py"],
        cwd=tmp_path, capture_output=True, text=True,
        env={"MYPYPATH": str(package), "PATH": "/usr/bin"}).stdout
    assert "error" not in told
    assert 'Revealed type is "builtins.float"' in told
    assert "Acquisition" in told


@pytest.mark.parametrize("name", [
    "Tasks", "Resource", "ItemStore", "Container", "Signal", "Monitor",
    "Gauge", "Bag",
    "Random", "Level", "Counter", "Cell", "Topic", "Handle",
    "DevsAtomic", "DevsCoupled", "Variable"])
def test_the_stubs_have_all_that_a_type_has(name):
    stubs = pathlib.Path(orrery.__file__).parent / "_orrery.pyi"
    text = stubs.read_text()
    begin = text.index(f"class {name}")
    body = text[begin:text.find("\nclass ", begin + 1)]
    if name == "ItemStore":
        body = text[text.index("class _AnyStore"):begin]
    if name.startswith("Devs"):
        body += text[text.index("class DevsModel"):begin]
    for member in vars(getattr(_orrery, name)):
        if not member.startswith("_"):
            assert f"def {member}(" in body, member
