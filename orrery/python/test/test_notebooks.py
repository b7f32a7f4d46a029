"""The notebooks of examples/python: run from the top, with right numbers."""
import json
import math
import pathlib

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples/python"

# 95 of 100 intervals hold the truth: of 200, by the binomial distribution and
# but for 1 time in 1,000, not fewer than 89 % and not more than 99 %.
KEPT = (0.89, 0.99)


def values(name, *formulas):
    """What formulas are worth after all cells of a notebook."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    pairs = ", ".join(f"{json.dumps(its)}: {its}" for its in formulas)
    notebook.cells.append(nbformat.v4.new_code_cell(
        f"import json\nprint(json.dumps({{{pairs}}}, default=float))"))
    nbclient.NotebookClient(
        notebook, timeout=200, kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}}).execute()
    told = "".join(its.text for its in notebook.cells[-1].outputs
                   if its.output_type == "stream" and its.name == "stdout")
    found = json.loads(told)
    return [found[its] for its in formulas]


def test_the_spring_is_found_with_intervals_that_hold_the_truth():
    estimates, intervals, deviation, kept, high = values(
        "spring_calibration", "fit.values", "fit.intervals",
        "residuals.std(ddof=3)", "kept", "[low, high]")
    # From the same readings, by another program with the closed form.
    assert estimates["k"] == pytest.approx(3.98546668, rel=1e-4)
    assert estimates["c"] == pytest.approx(0.39826210, rel=1e-4)
    assert estimates["x"] == pytest.approx(1.02524523, rel=1e-4)
    for name, truth in {"k": 4, "c": 0.4, "x": 1}.items():
        low, top = intervals[name]
        assert low < truth < top
        assert KEPT[0] <= kept[name] <= KEPT[1]
    assert deviation == pytest.approx(0.05, rel=0.1)
    assert high[0] < -0.3368516805904134 < high[1]  # x(5) of the truth.


def test_the_share_of_impatient_customers_is_that_of_theory():
    share, half, exact, table = values(
        "impatient_bank", "share", "half", "exact",
        "table.reset_index().to_dict('list')")
    # The terms of p_0 = 1 / sum_n prod_{k < n} (1/10) / (1/12 + k/20).
    terms = [1.0]
    for n in range(200):
        terms.append(terms[-1] * 0.1 / (1 / 12 + n / 20))
    assert exact == pytest.approx(
        1 - (1 - 1 / math.fsum(terms)) / 1.2, rel=1e-9)
    assert abs(share - exact) < half < 0.005
    for mean, width, theory in zip(table["share"], table["±"],
                                   table["theory"]):
        assert abs(mean - theory) < 1.5 * width
    assert table["theory"] == sorted(table["theory"], reverse=True)


def test_the_tank_cycles_as_computed_by_hand():
    highest, level, period, by_hand, waits, foretold, shifts = values(
        "tank_on_one_time", "highest", "result['level'].max()", "period",
        "fill + drain", "(log.begun - log.stopped).tolist()",
        "by_hand.tolist()", "len(log)")
    assert highest == pytest.approx(0.8025, rel=1e-12)
    assert level == pytest.approx(highest, rel=1e-8)
    assert by_hand == pytest.approx(1464.894, abs=1e-3)
    assert period == pytest.approx(by_hand, rel=1e-7)
    assert shifts == 8
    assert waits == pytest.approx(foretold, rel=1e-6)


def test_the_map_of_resonance_is_that_of_theory():
    errors, peaks, width = values(
        "resonance_map", "error.max('w').values.tolist()", "rows",
        "width.values.tolist()")
    assert max(errors[1:]) < 1e-6
    assert errors[0] < math.exp(-0.02 * 300) * 2  # The rest has died out.
    for damping, on_grid, found, theory in peaks:
        assert theory == pytest.approx(math.sqrt(1 - 2 * damping**2))
        assert on_grid == pytest.approx(theory, abs=0.03)
        assert found == pytest.approx(theory, abs=1e-3)
    assert width == pytest.approx([0.1, 0.2], rel=0.06)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")),
                         ids=lambda path: path.stem)
def test_notebooks_are_stored_without_outputs(path):
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
