"""Documents of searches are those of the command."""
import pytest

import orrery
from test_experiments import (  # noqa: F401: fixtures
    folder, tank, told_by_command, without_times)

NARROW = """
model Narrow
  parameter Real k = 1.5;
  Real x(start=0, fixed=true);
equation
  der(x) = k;
  assert(abs(k + 1e-30*x - 1.5) < 1e-9, "k is not 1.5");
  assert(x < 1, "x is large", AssertionLevel.warning);
  annotation(experiment(StopTime=1));
end Narrow;
"""


def test_warnings_beside_an_optimum_are_those_of_the_command(
        tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "narrow.mo").write_text(NARROW)
    best = orrery.load("narrow.mo").optimize(
        {"k": (1.5, 1, 2)}, minimize="x")
    told = told_by_command(tmp_path, "optimize", "narrow.mo", "--vary",
                           "k=1.5[1,2]", "--minimize", "x")
    assert without_times(best.document) == told
    assert len(best.warnings) == 2
    assert best.warnings[0].startswith("at the optimum: ")
    assert "next to the optimum 9 failed" in best.warnings[1]
    assert "narrow the ranges of vary=... to where it does" in best.warnings[1]


@pytest.mark.parametrize("words, arguments", [
    (("--vary", "k=[0.1,3]", "--minimize", "final(h)"),
     dict(vary={"k": (0.1, 3)}, minimize="final(h)")),
    (("--vary", "k=0.5[0.1,3]", "--maximize", "max(h)", "--subject-to",
      "final(h) <= 1.5"),
     dict(vary={"k": (0.5, 0.1, 3)}, maximize="max(h)",
          subject_to="final(h) <= 1.5")),
    (("--vary", "k=[0.1,3]", "--minimize", "final(h)", "--maximize",
      "min(h)", "--max-evaluations", "40"),
     dict(vary={"k": (0.1, 3)}, minimize="final(h)", maximize="min(h)",
          max_evaluations=40)),
])
def test_documents_of_optimisations_are_those_of_the_command(
        tank, folder, words, arguments):  # noqa: F811
    told = told_by_command(folder, "optimize", "tank.mo", *words)
    mine = tank.optimize(**arguments, check=False).document
    assert without_times(mine) == told
