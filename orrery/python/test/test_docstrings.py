"""Each public name has a docstring; the examples in docstrings are run."""
import doctest
import importlib
import inspect
import pathlib
import pkgutil

import pytest

import orrery

MODULES = [f"orrery.{its.name}" for its in pkgutil.iter_modules(
    orrery.__path__) if not its.name.startswith("_")] + ["orrery"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("name", ["python.md", "python_blocks.md"])
def test_examples_of_the_documents_are_true(name):
    page = pathlib.Path(__file__).parents[3] / "docs/how_to" / name
    text = page.read_text().replace("\\\n", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, name,
                                                   str(page), 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_public_names_have_docstrings(name):
    module = importlib.import_module(name)
    assert module.__doc__
    for word, its in vars(module).items():
        if (word.startswith("_") or getattr(its, "__module__", "") != name
                or not (inspect.isclass(its) or inspect.isfunction(its))):
            continue
        assert its.__doc__, f"{name}.{word}"
        for part, member in vars(its).items() if inspect.isclass(its) else ():
            if inspect.isfunction(member) and not part.startswith("_"):
                assert member.__doc__, f"{name}.{word}.{part}"
