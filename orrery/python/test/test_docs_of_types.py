"""The examples in the documentation of types of the extension."""
import doctest
import inspect
import pathlib

import pytest

import orrery


def run(text, name, words):
    """Runs the examples of a text; what it refers to is in `words`."""
    test = doctest.DocTestParser().get_doctest(text, dict(words), name, name,
                                               0)
    told = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
        test, out=told.append)
    assert not told, "".join(told)
    return len(test.examples)


@pytest.mark.parametrize("name", [
    name for name in orrery.__all__
    if inspect.isclass(getattr(orrery, name))
    and getattr(orrery, name).__module__ == "orrery._orrery"])
def test_examples_of_types_in_the_extension_give_what_they_show(name):
    text = getattr(orrery, name).__doc__ or ""
    run(text, name, {"orrery": orrery})


def test_examples_of_the_page_on_processes_give_what_they_show():
    page = (pathlib.Path(__file__).parents[3]
            / "docs/how_to/python_processes.md")
    assert run(page.read_text(), page.name, {}) > 10
