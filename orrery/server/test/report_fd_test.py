"""What commands tell at the descriptor of `--report-fd`."""

import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ORRERY = pathlib.Path(os.environ["ORRERY_STUDIO"]).with_name("orrery")
DECAY = """model Decay
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -k*x;
  y = 2*x;
  annotation(experiment(StopTime = 2));
end Decay;
"""
DELAYED = """model Delayed
  Real x(start = 1, fixed = true);
  Real n(start = 0, fixed = true);
equation
  der(x) = -delay(x, 0.5);
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 3));
end Delayed;
"""


class ReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "decay.mo").write_text(DECAY)
        (self.folder / "delayed.mo").write_text(DELAYED)

    def report(self, *words, status=0):
        """The lines that a command tells, as (kind, content)."""
        read, write = os.pipe()
        with subprocess.Popen([ORRERY, *words, "--report-fd", str(write)],
                              cwd=self.folder, pass_fds=[write],
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            os.close(write)
            with os.fdopen(read) as lines:
                told = [json.loads(line) for line in lines]
        self.assertEqual(process.returncode, status, told)
        return [next(iter(line.items())) for line in told]

    def test_run_tells_its_number_and_its_end(self):
        told = self.report("run", "decay.mo")
        self.assertEqual(told[0],
                         ("begin", {"experiment": 1, "model": "Decay"}))
        self.assertEqual(told[-1],
                         ("end", {"status": "completed", "message": ""}))
        self.assertNotIn("rows", dict(told))

    def test_rows_of_watched_signals_are_those_of_the_run(self):
        told = self.report("run", "decay.mo", "--watch", "x", "--watch", "y")
        rows = dict(told)["rows"]
        self.assertEqual(list(rows["columns"]), ["x", "y"])
        self.assertEqual(rows["time"][0], 0)
        for t, x, y in zip(rows["time"], rows["columns"]["x"],
                           rows["columns"]["y"]):
            self.assertAlmostEqual(x, math.exp(-t), delta=1e-6)
            self.assertEqual(y, 2 * x)

    def test_run_that_is_not_saved_has_no_number(self):
        told = self.report("run", "decay.mo", "--no-save")
        self.assertEqual(told[0][1]["experiment"], 0)
        self.assertEqual(told[-1][0], "end")

    def test_mistakes_have_their_places(self):
        (self.folder / "decay.mo").write_text(
            DECAY.replace("-k*x", "-kk*x"))
        notices = [what for kind, what in
                   self.report("run", "decay.mo", status=1)
                   if kind == "notice"]
        self.assertEqual(notices[0]["line"], 6)
        self.assertEqual(notices[0]["column"], 13)
        self.assertEqual(notices[0]["severity"], "error")

    def test_wrong_option_is_told_as_well(self):
        told = self.report("run", "decay.mo", "--stop", "x", status=2)
        self.assertEqual(told[0][0], "notice")

    def test_sweep_counts_its_runs(self):
        told = self.report("sweep", "decay.mo", "--vary", "k=1:1:5")
        counts = [what for kind, what in told if kind == "runs"]
        self.assertEqual(counts[-1], {"ended": 5, "failed": 0, "asked": 5})

    def test_rerun_has_the_same_bits(self):
        for model in ["decay.mo", "delayed.mo"]:
            self.report("run", model, "--watch", "*")
        for number in "12":
            told = subprocess.run([ORRERY, "rerun", number],
                                  cwd=self.folder, capture_output=True,
                                  text=True)
            self.assertIn("to the last bit", told.stdout)

    def test_rows_are_those_of_a_run_without_a_report(self):
        self.report("run", "decay.mo", "--watch", "*", "--output", "a.csv")
        subprocess.run([ORRERY, "run", "decay.mo", "--output", "b.csv"],
                       cwd=self.folder, check=True, capture_output=True)
        rows = [[line.split(",") for line in
                 (self.folder / name).read_text().splitlines()]
                for name in ["a.csv", "b.csv"]]
        self.assertEqual(len(rows[0]), len(rows[1]))
        for a, b in zip(rows[0][1:], rows[1][1:]):
            self.assertEqual(a[0], b[0])
            for mine, plain in zip(a[1:], b[1:]):
                self.assertAlmostEqual(float(mine), float(plain), delta=4e-16)

    def test_reader_that_goes_away_does_not_end_the_run(self):
        read, write = os.pipe()
        os.close(read)
        told = subprocess.run(
            [ORRERY, "run", "decay.mo", "--report-fd", str(write)],
            cwd=self.folder, pass_fds=[write], capture_output=True,
            stdin=subprocess.DEVNULL)
        os.close(write)
        self.assertEqual(told.returncode, 0, told.stderr)

    def test_run_that_cannot_be_saved_says_why(self):
        (self.folder / "orrery.db").mkdir()
        told = self.report("run", "decay.mo")
        self.assertEqual(told[0],
                         ("begin", {"experiment": 0, "model": "Decay"}))
        self.assertEqual(told[1][0], "notice")
        self.assertEqual(told[1][1]["severity"], "warning")
        self.assertIn("the experiment is not saved: ", told[1][1]["message"])
        self.assertIn("orrery.db", told[1][1]["message"])

    def test_values_that_cannot_be_set_are_told_and_the_run_goes_on(self):
        # Steps are short: the run goes on until it is stopped.
        (self.folder / "decay.mo").write_text(
            DECAY.replace("parameter Real k", "parameter Real k(min = 0)")
            .replace("-k*x", "-k*x + sin(1e3*time)"))
        read, write = os.pipe()
        with subprocess.Popen([ORRERY, "run", "decay.mo", "--stop", "1e6",
                               "--interval", "1", "--report-fd", str(write)],
                              cwd=self.folder, pass_fds=[write],
                              stdin=subprocess.PIPE, text=True,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            os.close(write)
            process.stdin.write('{"do": "pause"}\n{"set": {"k": -5}}\n'
                                '{"set": {"other": 1}}\n{"set": {"k": 3}}\n'
                                '{"do": "stop"}\n')
            process.stdin.flush()
            with os.fdopen(read) as lines:
                told = [next(iter(json.loads(line).items()))
                        for line in lines]
        notices = [what for kind, what in told if kind == "notice"]
        self.assertEqual([what["severity"] for what in notices],
                         ["warning", "warning"])
        self.assertIn("'k' is -5, as set for this run, below its minimum, 0",
                      notices[0]["message"])
        self.assertIn("'other'", notices[1]["message"])
        self.assertEqual(told[-1][1]["status"], "completed")

    def test_descriptor_must_be_open(self):
        for number in ["0", "2", "77", "x", "-1"]:
            told = subprocess.run(
                [ORRERY, "run", "decay.mo", "--report-fd=" + number],
                cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(told.returncode, 2)
            self.assertIn("cannot take --report-fd", told.stderr)


if __name__ == "__main__":
    unittest.main()
