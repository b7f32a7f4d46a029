"""The examples of the repository give the bits of the command."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

import orrery

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
FILES = sorted(EXAMPLES.glob("*/*.mo")) + sorted(EXAMPLES.glob("*/*.cbd"))

pytestmark = pytest.mark.skipif("ORRERY_COMMAND" not in os.environ,
                                reason="needs the command")


def is_whole(path):
    """True if the file is one model that runs by itself."""
    text = path.read_text()
    return "\nmodel " in "\n" + text or path.suffix == ".cbd"


@pytest.mark.parametrize("path", filter(is_whole, FILES),
                         ids=lambda path: path.stem)
def test_an_example_has_the_bits_of_the_command(path, tmp_path):
    output = tmp_path / "run.csv"
    told = subprocess.run(
        [os.environ["ORRERY_COMMAND"], "run", path.name, "--no-save",
         "--quiet", "--output", str(output)], cwd=path.parent,
        capture_output=True, text=True)
    if "several models" in told.stderr or "is an input" in told.stderr:
        pytest.skip("is no single model that runs by itself")
    here = os.getcwd()
    os.chdir(path.parent)  # Where its tables are.
    try:
        r = orrery.load(path.name).run(check=told.returncode == 0)
    finally:
        os.chdir(here)
    theirs = orrery.read(output)
    assert (r.time == theirs.time).all()
    for name in theirs.names:
        assert np.array_equal(r[name], theirs[name], equal_nan=True)
