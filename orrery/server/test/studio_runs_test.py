"""Runs, their results and the language server, as the page uses them."""

import json
import math
import os
import pathlib
import signal
import struct
import sys
import time
import unittest

from studio_client import Studio

DECAY = """model Decay
  parameter Real k = 1 "rate";
  Real x(start = 1, fixed = true, unit = "m");
  Real y(unit = "m");
equation
  der(x) = -k*x;
  y = 2*x;
  annotation(experiment(StopTime = 2));
end Decay;
"""
# Takes long: more than a minute.
SLOW = """model Slow
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = a*cos(5000*time);
  annotation(experiment(StopTime = 1e6, Interval = 1));
end Slow;
"""
BALL = """model Ball
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
    reinit(h, 0);
  end when;
  annotation(experiment(StopTime = 1));
end Ball;
"""
BROKEN = "model Broken\n  Real x;\nequation\n  der(x) = vv;\nend Broken;\n"
EXTERNAL = """model External
  function force
    input Real t;
    output Real f;
    external "C" f = force(t)
      annotation(Include = "static double force(double t) { return t; }");
  end force;
  Real x(start = 1, fixed = true);
equation
  der(x) = force(time);
end External;
"""
DAY = pathlib.Path(__file__).parents[3] / "examples/rover/day.json"
LANGUAGE = pathlib.Path(__file__).parent / "fake_language_server.py"


def curves(answer):
    """The header and the columns of binary data."""
    length, = struct.unpack_from("<I", answer.body)
    header = json.loads(answer.body[4:4 + length])
    numbers = [value for value, in
               struct.iter_unpack("<d", answer.body[4 + length:])]
    rows = header["rows"]
    return header, [numbers[i * rows:(i + 1) * rows]
                    for i in range(len(header["columns"]))]


def deep(begin):
    """An object with 200,000 levels in its last member."""
    return begin + "[" * 200000 + "]" * 200000 + "}"


class RunsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studio = Studio({"decay.mo": DECAY, "slow.mo": SLOW,
                             "ball.mo": BALL, "broken.mo": BROKEN,
                             "external.mo": EXTERNAL, "libmodel.so": "x",
                             "program": "x"})

    @classmethod
    def tearDownClass(cls):
        cls.studio.close()

    def start(self, expected=200, **request):
        request.setdefault("command", "run")
        answer = self.studio.ask("POST", "/api/runs", body=request)
        self.assertEqual(answer.status, expected, answer.body)
        return answer.json

    def state(self, run):
        return self.studio.get(f"/api/runs/{run}").json

    def wait(self, run, *states, seconds=60):
        states = states or ("completed", "failed", "stopped", "interrupted")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            state = self.state(run)
            if state["state"] in states:
                return state
            time.sleep(0.05)
        self.fail(f"run {run} is {state}")

    def completed(self, **request):
        run = self.wait(self.start(**request)["id"])
        self.assertEqual(run["state"], "completed", run)
        return run["experiment"]


class OneRunTest(RunsTest):
    def test_run_of_the_page_is_a_run_of_the_command(self):
        started = self.start(file="decay.mo", set={"k": "2"},
                             options={"stop": "1 s"})
        self.assertEqual(started["argv"],
                         ["orrery", "run", "decay.mo", "--set=k=2",
                          "--stop=1 s"])
        run = self.wait(started["id"])
        self.assertEqual(run["state"], "completed")
        self.assertIn("saved as experiment", run["log"])
        answer = self.studio.get(
            f"/api/experiments/{run['experiment']}/0/data?s=x&px=100")
        header, (t, x) = curves(answer)
        self.assertEqual(header["to"], 1)
        self.assertAlmostEqual(x[-1], math.exp(-2), delta=1e-6)

    def test_stream_tells_how_it_goes_on(self):
        events = self.studio.events()
        next(iter(events))
        run = self.start(file="decay.mo")["id"]
        self.assertEqual(events.until("run", id=run)["data"]["state"],
                         "waiting")
        rows = events.until("rows", id=run)["data"]
        self.assertEqual(rows["from"], 0)
        self.assertEqual(len(rows["time"]), len(rows["columns"]["x"]))
        self.assertEqual(rows["columns"]["x"][0], 1)
        ended = events.until("run", id=run, state="completed")["data"]
        store = events.until("store", id=ended["experiment"])
        self.assertIsNotNone(store)
        events.close()

    def test_live_rows_are_told_once_in_their_order(self):
        events = self.studio.events()
        next(iter(events))
        run = self.start(file="slow.mo", watch=["x"])["id"]
        known = 0
        last = -1
        for _ in range(5):
            rows = events.until("rows", id=run)["data"]
            self.assertEqual(list(rows["columns"]), ["x"])
            self.assertEqual(rows["from"], known)
            known += len(rows["time"])
            self.assertGreaterEqual(rows["time"][0], last)
            last = rows["time"][-1]
        self.studio.ask("DELETE", f"/api/runs/{run}")
        self.wait(run, "stopped")
        events.close()

    def test_stopped_run_keeps_its_results(self):
        run = self.start(file="slow.mo")["id"]
        self.wait(run, "running")
        time.sleep(1)
        begin = time.monotonic()
        self.assertEqual(
            self.studio.ask("DELETE", f"/api/runs/{run}").status, 204)
        stopped = self.wait(run)
        self.assertLess(time.monotonic() - begin, 4)
        self.assertEqual(stopped["state"], "stopped")
        record = self.studio.get(
            f"/api/experiments/{stopped['experiment']}").json
        self.assertEqual(record["status"], "interrupted")
        header, (t, x) = curves(self.studio.get(
            f"/api/experiments/{stopped['experiment']}/0/data?s=x"))
        self.assertGreater(t[-1], 0)

    def test_pause_setting_and_resume(self):
        run = self.start(file="slow.mo")["id"]
        self.wait(run, "running")
        time.sleep(0.5)

        def tell(**what):
            answer = self.studio.ask("POST", f"/api/runs/{run}/do", body=what)
            self.assertEqual(answer.status, 204, answer.body)

        tell(do="pause")
        self.wait(run, "paused")
        time.sleep(0.3)
        held = self.state(run)["t"]
        time.sleep(0.5)
        self.assertEqual(self.state(run)["t"], held)
        tell(do="set", set={"a": "3"})
        tell(do="resume")
        end = time.monotonic() + 10
        while self.state(run)["t"] <= held and time.monotonic() < end:
            time.sleep(0.05)
        self.assertGreater(self.state(run)["t"], held)
        tell(do="stop")
        stopped = self.wait(run)
        document = self.studio.get(
            f"/api/experiments/{stopped['experiment']}").json["document"]
        self.assertIn('"a"', json.dumps(document["live"]))

    def children(self):
        """The processes that the studio has started."""
        tasks = pathlib.Path(f"/proc/{self.studio.process.pid}/task")
        return [int(pid) for path in tasks.glob("*/children")
                for pid in path.read_text().split()]

    def test_killed_run_keeps_what_came_before(self):
        run = self.start(file="slow.mo")["id"]
        self.wait(run, "running")
        time.sleep(1.5)
        for pid in self.children():
            os.kill(pid, signal.SIGSEGV)
        killed = self.wait(run)
        self.assertEqual(killed["state"], "interrupted", killed)
        self.assertRegex(killed["message"], "SIGSEGV ended the run at t = ")
        record = self.studio.get(
            f"/api/experiments/{killed['experiment']}").json
        self.assertEqual(record["status"], "interrupted")
        header, (t, x) = curves(self.studio.get(
            f"/api/experiments/{killed['experiment']}/0/data?s=x"))
        self.assertGreater(t[-1], 10)
        self.assertEqual(self.studio.get("/api/session").status, 200)

    def test_external_function_of_an_untrusted_folder_does_not_run(self):
        run = self.wait(self.start(file="external.mo")["id"])
        self.assertEqual(run["state"], "failed")
        self.assertIn("external", run["log"])
        self.studio.ask("PUT", "/api/trust", body={"trusted": True})
        run = self.wait(self.start(file="external.mo")["id"])
        self.studio.ask("PUT", "/api/trust", body={"trusted": False})
        self.assertEqual(run["state"], "completed", run)

    def test_programs_need_trust(self):
        for file in ["libmodel.so", "program"]:
            refused = self.start(expected=403, file=file)
            self.assertEqual(refused["error"]["code"], "trust")
        refused = self.studio.ask("POST", "/api/fmu", body={
            "file": "libmodel.so", "class": "Model"})
        self.assertEqual(refused.status, 403, refused.body)
        self.assertEqual(refused.json["error"]["code"], "trust")

    def trusted(self, is_trusted):
        self.studio.ask("PUT", "/api/trust", body={"trusted": is_trusted})

    @unittest.skipUnless("ORRERY_PLUGIN" in os.environ, "no plug-in of tasks")
    def test_stored_programs_need_trust(self):
        plugin = pathlib.Path(os.environ["ORRERY_PLUGIN"])
        self.studio.write("libstored.so", plugin.read_bytes())
        self.studio.write("stored.json", DAY.read_bytes())
        self.trusted(True)
        experiment = self.completed(file="libstored.so",
                                    options={"plan": "stored.json"})
        again = {"options": {"experiment": str(experiment)}}
        self.trusted(False)
        for command in ["rerun", "resume"]:
            refused = self.start(expected=403, command=command, **again)
            self.assertEqual(refused["error"]["code"], "trust")
            self.assertIn("libstored.so", refused["error"]["message"])
        self.trusted(True)
        run = self.wait(self.start(command="rerun", **again)["id"])
        self.trusted(False)
        self.assertEqual(run["state"], "completed", run)

    def test_stored_text_runs_again_without_trust(self):
        experiment = self.completed(file="decay.mo")
        self.completed(command="rerun",
                       options={"experiment": str(experiment)})

    def test_deep_requests_are_refused(self):
        for path in ["/api/runs", "/api/report", "/api/file/move"]:
            for begin in ['{"x":',
                          '{"command":"run","file":"decay.mo","set":']:
                answer = self.studio.ask("POST", path, body=deep(begin))
                self.assertEqual(answer.status, 400)
                self.assertEqual(answer.json["error"]["code"], "json")
        self.assertEqual(self.studio.get("/api/session").status, 200)

    def test_missing_experiment_is_told(self):
        self.completed(file="decay.mo")
        self.start(expected=404, command="rerun",
                   options={"experiment": "99999"})

    def test_mistakes_are_told_with_their_lines(self):
        events = self.studio.events()
        next(iter(events))
        run = self.start(file="broken.mo")["id"]
        for event in events:
            if event["event"] == "run" and "diagnostic" in event["data"]:
                break
        notice = event["data"]["diagnostic"]
        self.assertEqual(notice["line"], 4)
        self.assertEqual(notice["file"], "broken.mo")
        self.assertEqual(self.wait(run)["state"], "failed")
        events.close()

    def test_one_runs_and_others_wait(self):
        first = self.start(file="slow.mo")["id"]
        second = self.start(file="slow.mo")["id"]
        third = self.start(file="decay.mo")["id"]
        self.wait(first, "running")
        self.assertEqual(self.state(second)["state"], "waiting")
        self.studio.ask("DELETE", f"/api/runs/{second}")
        self.assertEqual(self.state(second)["state"], "stopped")
        self.studio.ask("DELETE", f"/api/runs/{first}")
        self.assertEqual(self.wait(third)["state"], "completed")

    def test_what_is_not_allowed_is_refused(self):
        for request in [
                {"command": "trust", "file": "decay.mo"},
                {"file": "../decay.mo"},
                {"file": "/etc/passwd"},
                {"file": "decay.mo", "options": {"output": "x.csv"}},
                {"file": "decay.mo", "options": {"external": ""}},
                {"file": "decay.mo", "options": {"input": "/etc/passwd"}},
                {"file": "decay.mo", "class": "--external"}]:
            with self.subTest(request=request):
                self.start(expected=400, **request)
        self.start(expected=404, file="none.mo")
        self.assertEqual(self.studio.get("/api/runs/99999").status, 404)
        self.assertEqual(
            self.studio.ask("DELETE", "/api/runs/99999").status, 404)
        self.assertEqual(
            self.studio.ask("POST", "/api/runs/99999/do",
                            body={"do": "pause"}).status, 409)

    def test_command_that_ignores_its_end_is_killed_with_the_studio(self):
        run = self.start(file="slow.mo")["id"]
        self.wait(run, "running")
        pids = self.children()
        self.assertTrue(pids)
        self.studio.process.send_signal(signal.SIGKILL)
        self.studio.process.wait()
        self.studio.process.stdout.close()
        time.sleep(0.5)
        for pid in pids:
            self.assertFalse(os.path.exists(f"/proc/{pid}/exe"))
        self.studio.start()


class ResultsTest(RunsTest):
    def test_experiments_are_listed_as_the_command_lists_them(self):
        self.completed(file="decay.mo")
        listed = self.studio.get("/api/experiments?limit=5").json
        newest = listed["experiments"][0]
        self.assertEqual(newest["model"], "Decay")
        self.assertEqual(newest["runs"],
                         {"asked": 1, "completed": 1, "failed": 0})

    def test_folder_without_a_store_has_no_experiments(self):
        studio = Studio({"decay.mo": DECAY})
        self.addCleanup(studio.close)
        self.assertEqual(studio.get("/api/experiments").json,
                         {"experiments": []})
        self.assertEqual(studio.get("/api/experiments/1").status, 404)
        self.assertFalse((studio.folder / "orrery.db").exists())

    def test_table_of_a_sweep_is_sorted_and_filtered(self):
        experiment = self.completed(
            command="sweep", file="decay.mo", vary=["k=1:1:9"],
            keep=["end=final(x)"])
        table = self.studio.get(
            f"/api/experiments/{experiment}/runs?sort=-end&limit=3").json
        self.assertEqual(table["total"], 9)
        self.assertEqual([c["name"] for c in table["columns"]], ["k", "end"])
        self.assertTrue(table["columns"][0]["varied"])
        self.assertEqual([row["values"][0] for row in table["rows"]],
                         [1, 2, 3])
        self.assertAlmostEqual(table["rows"][0]["values"][1],
                               math.exp(-2), delta=1e-6)
        some = self.studio.get(
            f"/api/experiments/{experiment}/runs?where=k>3,k<=5").json
        self.assertEqual([row["values"][0] for row in some["rows"]], [4, 5])
        self.assertEqual(self.studio.get(
            f"/api/experiments/{experiment}/runs?where=q>3").status, 400)
        header, columns = curves(self.studio.get(
            f"/api/experiments/{experiment}/runs",
            headers={"Accept": "application/octet-stream"}))
        self.assertEqual(header["total"], 9)
        self.assertEqual(columns[2], list(range(1, 10)))

    def test_means_of_drawn_runs_are_told_without_their_values(self):
        experiment = self.completed(
            command="sweep", file="decay.mo", vary=["k=normal(2,0.1)"],
            keep=["end=final(x)"], options={"runs": "50"})
        found = self.studio.get(f"/api/experiments/{experiment}").json
        k, end = found["results"]["columns"]
        self.assertAlmostEqual(k["mean"], 2, delta=0.06)
        self.assertAlmostEqual(end["mean"], math.exp(-4), delta=0.002)
        self.assertGreater(end["half_width"], 0)
        self.assertNotIn("values", end)

    def test_sensitivities_are_told(self):
        experiment = self.completed(
            command="sensitivity", file="decay.mo", vary=["k=2"],
            keep=["end=final(x)"], options={"method": "local"})
        found = self.studio.get(f"/api/experiments/{experiment}").json
        effect, = found["results"]["sensitivities"][0]["local"]
        self.assertEqual(effect["factor"], "k")
        # The derivative of exp(-2 k) at k = 2.
        self.assertAlmostEqual(effect["derivative"], -2 * math.exp(-4),
                               delta=1e-5)

    def test_failed_run_of_a_sweep_says_why(self):
        self.studio.write("limit.mo", DECAY.replace("Decay", "Limit").replace(
            "equation", 'equation\n  assert(k < 3, "too fast");'))
        run = self.wait(self.start(command="sweep", file="limit.mo",
                                   vary=["k=1:1:3"])["id"])
        rows = self.studio.get(
            f"/api/experiments/{run['experiment']}/runs").json["rows"]
        self.assertEqual([row["status"] for row in rows],
                         ["completed", "completed", "failed"])
        self.assertEqual([row.get("message", "").count("too fast")
                          for row in rows], [0, 0, 1])

    def test_texts_of_an_experiment_are_kept_as_they_were(self):
        first = self.completed(file="decay.mo")
        changed = DECAY.replace("y = 2*x", "y = 3*x")
        self.studio.write("decay.mo", changed)
        self.addCleanup(self.studio.write, "decay.mo", DECAY)
        second = self.completed(file="decay.mo")
        hashes = []
        for experiment, text in ((first, DECAY), (second, changed)):
            path = f"/api/experiments/{experiment}/texts"
            items = {item["name"]: item
                     for item in self.studio.get(path).json["items"]}
            self.assertEqual(items["decay.mo"]["size"], len(text))
            hashes.append(items["decay.mo"]["hash"])
            self.assertEqual(self.studio.get(path + "?name=decay.mo").text,
                             text)
            self.assertEqual(self.studio.get(path + "?name=no.mo").status,
                             404)
        self.assertNotEqual(*hashes)

    def test_signals_come_as_a_tree(self):
        experiment = self.completed(file="decay.mo")
        found = self.studio.get(
            f"/api/experiments/{experiment}/0/signals").json
        by_name = {item["name"]: item for item in found["items"]}
        self.assertEqual(by_name["x"]["unit"], "m")
        self.assertEqual(by_name["x"]["kind"], "continuous")
        self.assertAlmostEqual(by_name["y"]["last"], 2 * math.exp(-2),
                               delta=1e-6)
        self.assertEqual(by_name["k"]["last"], 1)
        searched = self.studio.get(
            f"/api/experiments/{experiment}/0/signals?q=Y").json
        self.assertEqual([item["name"] for item in searched["items"]], ["y"])

    def test_curves_are_thinned_and_cut(self):
        experiment = self.completed(
            file="decay.mo", options={"interval": "0.0001"})
        path = f"/api/experiments/{experiment}/0/data"
        whole, columns = curves(self.studio.get(path + "?s=x,y&px=50"))
        self.assertEqual([c["name"] for c in whole["columns"]],
                         ["time", "x", "y"])
        self.assertLessEqual(whole["rows"], 200)
        for t, x, y in zip(*columns):
            self.assertAlmostEqual(x, math.exp(-t), delta=1e-6)
            self.assertEqual(y, 2 * x)
        part, (t, x) = curves(self.studio.get(
            path + "?s=x&from=0.5&to=0.501&px=100"))
        self.assertEqual((part["from"], part["to"]), (0.5, 0.501))
        self.assertEqual(len(t), 13)
        phase, (x, y) = curves(self.studio.get(path + "?s=y&x=x&px=20"))
        self.assertEqual([2 * value for value in x], y)

    def test_wrong_questions_on_results_are_told(self):
        experiment = self.completed(file="decay.mo")
        path = f"/api/experiments/{experiment}/0/data"
        for query, status in [("", 400), ("?s=q", 404), ("?s=x&from=a", 400),
                              ("?s=x&from=2&to=1", 400),
                              ("?s=x&px=-1", 400)]:
            with self.subTest(query=query):
                self.assertEqual(self.studio.get(path + query).status, status)
        self.assertEqual(self.studio.get(
            f"/api/experiments/{experiment}/7/data?s=x").status, 404)
        for wanted in ["s=x,nowhere", "s=nowhere", "s=x&x=nowhere"]:
            path = f"/api/experiments/{experiment}/0/data?{wanted}"
            self.assertEqual(self.studio.get(path).status, 404, wanted)
            found = self.studio.get(path + "&missing=skip")
            self.assertEqual(found.status, 200, wanted)
            names = [c["name"] for c in curves(found)[0]["columns"]]
            self.assertEqual(
                names, ["time", "x"] if wanted == "s=x,nowhere" else ["time"])
        self.assertEqual(
            self.studio.get("/api/experiments/9999/0/data?s=x").status, 404)
        self.assertEqual(
            self.studio.get("/api/experiments/x/0/data?s=x").status, 404)

    def test_events_of_a_run(self):
        experiment = self.completed(file="ball.mo")
        events = self.studio.get(
            f"/api/experiments/{experiment}/0/events").json
        # The ball falls for sqrt(2/9.81) s.
        self.assertAlmostEqual(events["items"][0]["time"],
                               math.sqrt(2 / 9.81), delta=1e-6)
        self.assertEqual(events["items"][0]["text"], "h < 0")
        later = self.studio.get(
            f"/api/experiments/{experiment}/0/events?from=0.5").json
        self.assertLess(later["total"], events["total"])

    @unittest.skipUnless("ORRERY_PLUGIN" in os.environ, "no plug-in of tasks")
    def test_spans_of_a_plan(self):
        plugin = pathlib.Path(os.environ["ORRERY_PLUGIN"])
        self.studio.write("librover.so", plugin.read_bytes())
        self.studio.write("day.json", DAY.read_bytes())
        self.studio.ask("PUT", "/api/trust", body={"trusted": True})
        experiment = self.completed(file="librover.so",
                                    options={"plan": "day.json"})
        self.studio.ask("PUT", "/api/trust", body={"trusted": False})
        path = f"/api/experiments/{experiment}/0/spans"
        spans = self.studio.get(path).json
        self.assertGreater(spans["total"], 5)
        first = next(span for span in spans["items"] if span["end"])
        self.assertEqual(sorted(first), ["attributes", "begin", "end", "name",
                                         "parent", "span", "state"])
        middle = (first["begin"] + first["end"]) / 2
        some = self.studio.get(f"{path}?from={middle}&to={middle}").json
        self.assertLess(some["total"], spans["total"])
        self.assertIn(first, some["items"])

    @unittest.skipUnless("ORRERY_PLUGIN" in os.environ, "no plug-in of tasks")
    def test_changed_plan_goes_on_from_a_snapshot(self):
        plugin = pathlib.Path(os.environ["ORRERY_PLUGIN"])
        self.studio.write("libplanned.so", plugin.read_bytes())
        day = DAY.read_text()

        def carry_out(plan, expected=200):
            answer = self.studio.ask("POST", "/api/plan", body={
                "run": {"command": "run", "file": "libplanned.so"},
                "plan": {"name": "day.json", **plan}})
            self.assertEqual(answer.status, expected, answer.body)
            return answer.json

        refused = carry_out({"text": day}, expected=403)
        self.assertEqual(refused["error"]["code"], "trust")
        self.studio.ask("PUT", "/api/trust", body={"trusted": True})
        first = carry_out({"text": day})
        later = carry_out({"text": day.replace("17 h", "18 h")})
        part = carry_out({"from": 25200, "to": 25201, "px": 100})
        wrong = carry_out({"text": day.replace("Drive", "Dive", 1)})
        self.studio.ask("PUT", "/api/trust", body={"trusted": False})
        self.assertEqual(first["status"], "completed")
        self.assertIsNone(first["resumed_at"])
        self.assertGreater(later["resumed_at"], 12 * 3600)
        self.assertEqual(later["end"], 86400)
        self.assertLess(len(part["spans"]), len(later["spans"]))
        self.assertEqual(wrong["status"], "refused")
        self.assertEqual(wrong["notices"][0]["line"], 5)
        without = self.studio.ask("POST", "/api/plan", body={"run": {}})
        self.assertEqual(without.status, 400)

    def test_tags_notes_and_deletion(self):
        experiment = self.completed(file="decay.mo")
        path = f"/api/experiments/{experiment}"
        body = {"tags": ["good", "old"], "notes": "a note"}
        self.assertEqual(
            self.studio.ask("PATCH", path, body=body).status, 204)
        self.studio.ask("PATCH", path, body={"tags": ["good"]})
        record = self.studio.get(path).json
        self.assertEqual(record["tags"], ["good"])
        self.assertEqual(record["notes"], "a note")
        self.assertEqual(self.studio.ask("DELETE", path).status, 204)
        self.assertEqual(self.studio.get(path).status, 404)

    def test_report_is_one_file_without_the_network(self):
        experiments = [self.completed(file="decay.mo", set={"k": k})
                       for k in "12"]
        answer = self.studio.ask(
            "POST", "/api/report",
            body={"experiments": experiments, "plots": [],
                  "notes": "<script>x</script>"})
        self.assertEqual(answer.status, 200, answer.body)
        self.assertIn("attachment", answer.headers["Content-Disposition"])
        self.assertIn("&lt;script&gt;x", answer.text)
        self.assertEqual(answer.text.count("</body>"), 1)
        for experiment in experiments:
            self.assertIn(f"xperiment {experiment}", answer.text)
        self.assertEqual(
            self.studio.ask("POST", "/api/report",
                            body={"experiments": []}).status, 400)


class LanguageTest(unittest.TestCase):
    """With a language server that does what the tests ask of it."""

    def setUp(self):
        self.studio = Studio(
            env={"ORRERY_LSP": f"{sys.executable} {LANGUAGE}"})
        self.addCleanup(self.studio.close)

    def ask(self, method, params=None, number=1):
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        if number is not None:
            message["id"] = number
        return self.studio.ask("POST", "/api/lsp", body=message)

    def test_answers_have_the_number_of_their_question(self):
        self.ask("initialize", {"capabilities": {}})
        for number in [7, "a", 7]:
            answer = self.ask("echo", {"value": number}, number).json
            self.assertEqual(answer["id"], number)
            self.assertEqual(answer["result"], {"value": number})

    def test_second_page_shares_the_server(self):
        first = self.ask("initialize", {"capabilities": {}}).json
        second = self.ask("initialize", {"capabilities": {}}, 2).json
        self.assertEqual(first["result"], second["result"])
        other = self.ask("initialize", {"capabilities": {"x": 1}}).json
        self.assertNotEqual(first["result"], other["result"])

    def test_notifications_come_by_the_stream(self):
        events = self.studio.events()
        next(iter(events))
        self.ask("initialize")
        self.assertEqual(self.ask("tell", {"a": 1}, None).status, 204)
        event = events.until("lsp")
        self.assertEqual(event["data"]["method"], "told")
        self.assertEqual(event["data"]["params"], {"a": 1})
        events.close()

    def test_server_that_ends_is_told_and_begins_anew(self):
        events = self.studio.events()
        next(iter(events))
        first = self.ask("initialize").json["result"]
        failed = self.ask("die").json
        self.assertEqual(failed["error"]["code"], -32099)
        event = events.until("child")
        self.assertEqual(event["data"],
                         {"what": "restarted", "signal": "SIGSEGV"})
        begin = time.monotonic()
        again = self.ask("echo", {"value": 1}).json
        self.assertEqual(again["result"], {"value": 1})
        self.assertLess(time.monotonic() - begin, 1)
        self.assertNotEqual(self.ask("initialize").json["result"], first)
        events.close()

    def test_library_is_asked_of_the_server(self):
        tree = self.studio.get("/api/tree?under=M&offset=2&limit=3").json
        self.assertEqual(tree, {"total": 9, "under": "M", "offset": 2,
                                "limit": 3, "items": []})
        found = self.studio.get("/api/search?q=pid").json
        self.assertEqual(found["items"], [{"name": "pid"}])
        self.assertEqual(found["total"], 1)

    def test_what_is_no_message_is_refused(self):
        for body in ["", "{", "[]", "1", deep('{"method":"echo","id":1,"x":'),
                     "[" * 200000]:
            self.assertEqual(
                self.studio.ask("POST", "/api/lsp", body=body).status, 400)


class ResourceTest(unittest.TestCase):
    def test_pictures_of_libraries_only(self):
        home = pathlib.Path(self.enterContext(
            __import__("tempfile").TemporaryDirectory()))
        library = home / "Parts 1.2"
        (library / "Resources").mkdir(parents=True)
        (library / "package.mo").write_text("package Parts end Parts;")
        (library / "Resources/a.png").write_bytes(b"\x89PNG")
        (library / "Resources/a.svg").write_text("<svg/>")
        (home / "secret.png").write_bytes(b"secret")
        studio = Studio(env={"MODELICAPATH": str(home)})
        self.addCleanup(studio.close)
        self.assertEqual(
            [(x["name"], x["version"])
             for x in studio.get("/api/session").json["libraries"]],
            [("Parts", "1.2")])
        path = "/api/resource?uri=modelica://"
        picture = studio.get(path + "Parts/Resources/a.png")
        self.assertEqual(picture.body, b"\x89PNG")
        self.assertEqual(picture.headers["Content-Type"], "image/png")
        drawing = studio.get(path + "Parts/Resources/a.svg")
        self.assertIn("sandbox", drawing.headers["Content-Security-Policy"])
        text = f"/api/library?path={home}/Parts%201.2/package.mo"
        self.assertEqual(studio.get(text).body, b"package Parts end Parts;")
        for path_of in [f"{home}/secret.png", "/etc/passwd.mo",
                        f"{home}/../x.mo", f"{home}x/package.mo", "m.mo"]:
            with self.subTest(path=path_of):
                answer = studio.get("/api/library?path=" + path_of)
                self.assertIn(answer.status, (400, 404))
        for uri in ["Parts/../secret.png", "Parts/package.mo",
                    "Other/a.png", "Parts/Resources/none.png", "Parts",
                    "/etc/passwd.png"]:
            with self.subTest(uri=uri):
                self.assertIn(studio.get(path + uri).status, (400, 404))


if __name__ == "__main__":
    unittest.main()
