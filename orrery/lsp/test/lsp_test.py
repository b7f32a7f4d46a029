"""orrery-lsp as an editor sees it: requests over its pipes."""

import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from lsp_client import Client, Refused, applied, path_of  # noqa: E402

PROGRAM = os.environ["ORRERY_LSP"]
GOLDEN = pathlib.Path(__file__).with_name("golden.txt")
EXAMPLES = sorted(ROOT.glob("examples/*/*.mo"))[:30]
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
KEYWORDS = set("""
algorithm and annotation block break class connect connector constant
constrainedby der discrete each else elseif elsewhen encapsulated end
enumeration equation expandable extends external false final flow for
function if import impure in initial inner input loop model not operator or
outer output package parameter partial protected public pure record
redeclare replaceable return stream then true type when while within
""".split())


class Session(unittest.TestCase):
    def setUp(self):
        self.client = None

    def tearDown(self):
        if self.client:
            self.assertEqual(self.client.stop(), 0)

    def start(self, *options, **more):
        self.client = Client(PROGRAM, *options,
                             environment={"MODELICAPATH": ""}, **more)
        return self.client


class LspTest(Session):
    def test_a_mistake_is_marked_and_a_mend_offered(self):
        client = self.start()
        client.open("/nowhere/m.mo", "model M\n  Real level(start=1);\n"
                    "equation\n  der(level) = -levle;\nend M;\n")
        found = client.wait_for("textDocument/publishDiagnostics",
                                lambda p: p["diagnostics"])
        self.assertIn("did you mean 'level'?",
                      found["diagnostics"][0]["message"])
        actions = client.ask("textDocument/codeAction", {
            "textDocument": {"uri": "file:///nowhere/m.mo"},
            "range": found["diagnostics"][0]["range"],
            "context": {"diagnostics": []}})
        edit = actions[0]["edit"]["documentChanges"][0]["edits"][0]
        self.assertEqual(edit["newText"], "level")

    def test_findings_are_looked_at_again_when_another_file_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            use = pathlib.Path(folder, "Use.mo")
            use.write_text("model Use\n  Part p;\nend Use;\n")
            part = pathlib.Path(folder, "Part.mo")
            client = self.start(folder=folder)
            client.open(use)

            def wait_until(has_findings):
                client.wait_for(
                    "textDocument/publishDiagnostics",
                    lambda p: p["uri"].endswith("Use.mo") and
                    bool(p["diagnostics"]) == has_findings)

            def tell(kind):
                client.tell("workspace/didChangeWatchedFiles", {
                    "changes": [{"uri": part.as_uri(), "type": kind}]})

            wait_until(True)
            client.notices.clear()
            part.write_text("model Part\n  Real x = 1;\nend Part;\n")
            tell(1)
            wait_until(False)

    def test_an_endless_check_ends_with_the_next_key(self):
        client = self.start()
        # A function that the compiler calls for ever.
        client.open("/nowhere/m.mo", "model M\n  function f\n"
                    "    output Real y;\n  algorithm\n    y := 0;\n"
                    "    while y < 1 loop\n"
                    "      y := y * 0.5;\n    end while;\n  end f;\n"
                    "  parameter Real p = f();\n  Real x(start=p);\n"
                    "  Real z[integer(p)];\nequation\n  der(x) = 1;\nend M;\n")
        time.sleep(0.6)
        client.change("/nowhere/m.mo", 2, "model M\n  Real x;\nequation\n"
                      "  der(x) = yy;\nend M;\n")
        begin = time.monotonic()
        found = client.wait_for(
            "textDocument/publishDiagnostics",
            lambda p: p["version"] == 2 and p["diagnostics"])
        self.assertIn("yy", found["diagnostics"][0]["message"])
        self.assertLess(time.monotonic() - begin, 10)

    def test_a_missing_folder_of_libraries_is_a_warning(self):
        client = self.start("--library", "/no/such/folder")
        notice = client.wait_for("window/showMessage")
        self.assertEqual(notice["type"], 2)
        self.assertIn("/no/such/folder", notice["message"])

    def test_columns_behind_wide_characters_are_right_in_both_encodings(self):
        text = ("model M\n  Real a \"\u00f6\u00b0\U00010410\"; Real b;\n"
                "equation\n  a = 1;\n  b = 2;\nend M;\n")
        line = text.split("\n")[1]
        for encoding, column in (
                ("utf-8", len(line[:line.index("b;")].encode())),
                ("utf-16", len(line[:line.index("b;")]
                               .encode("utf-16-le")) // 2)):
            client = Client(PROGRAM, encodings=(encoding,))
            client.open("/nowhere/m.mo", text)
            found = client.at("textDocument/definition", "/nowhere/m.mo", 4, 2)
            self.assertEqual(found["range"]["start"],
                             {"line": 1, "character": column})
            self.assertEqual(client.stop(), 0)

    def test_a_class_is_renamed_with_its_file_and_package_order(self):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder, "P")
            package.mkdir()
            (package / "package.mo").write_text("package P\nend P;\n")
            (package / "package.order").write_text("A\nB\n")
            (package / "A.mo").write_text(
                "within P;\nmodel A\n  Real x = 1;\nend A;\n")
            (package / "B.mo").write_text(
                "within P;\nmodel B\n  A a;\n  P.A b;\nend B;\n")
            client = self.start(folder=folder)
            client.open(package / "A.mo")
            edit = client.at("textDocument/rename", package / "A.mo", 1, 6,
                             newName="Z")
            changes = {}
            for change in edit["documentChanges"]:
                if change.get("kind") == "rename":
                    self.assertTrue(change["newUri"].endswith("/P/Z.mo"))
                    continue
                path = path_of(change["textDocument"]["uri"])
                changes[pathlib.Path(path).name] = applied(
                    pathlib.Path(path).read_text(), change["edits"])
            self.assertEqual(changes["A.mo"],
                             "within P;\nmodel Z\n  Real x = 1;\nend Z;\n")
            self.assertEqual(changes["B.mo"],
                             "within P;\nmodel B\n  Z a;\n  P.Z b;\nend B;\n")
            self.assertEqual(changes["package.order"], "Z\nB\n")

    def test_a_part_is_dropped_connected_moved_and_taken_away(self):
        client = self.start()
        path = "/nowhere/m.mo"
        text = "model M\nend M;\n"
        client.open(path, text)
        version = 1
        for steps in (
                [{"op": "addComponent", "type": "Modelica.Blocks.Math.Gain",
                  "at": {"extent": [[-10, -10], [10, 10]]},
                  "modifiers": "k=2"}],
                [{"op": "duplicate", "components": ["gain"], "by": [40, 0]}],
                [{"op": "connect", "from": "gain.y", "to": "gain1.u",
                  "points": [[11, 0], [28, 0]], "color": [0, 0, 127]}],
                [{"op": "move", "components": ["gain1"], "by": [0, 20]}],
                [{"op": "setModifier", "component": "gain", "path": "k",
                  "text": None}]):
            edit = client.ask("orrery/edit", {
                "uri": "file://" + path, "version": version, "class": "M",
                "do": steps})
            text = applied(text, edit["documentChanges"][0]["edits"])
            version += 1
            client.change(path, version, text)
        self.assertEqual(text, """model M
  Modelica.Blocks.Math.Gain gain annotation(Placement(\
transformation(extent={{-10,-10},{10,10}})));
  Modelica.Blocks.Math.Gain gain1(k=2) annotation(Placement(\
transformation(extent={{30,10},{50,30}})));
equation
  connect(gain.y, gain1.u) annotation(Line(points=\
{{11,0},{19.5,0},{19.5,20},{28,20}}, color={0,0,127}));
end M;
""")
        scene = client.ask("orrery/scene", {
            "uri": "file://" + path, "class": "M", "layer": "diagram"})
        self.assertEqual([part["name"] for part in scene["components"]],
                         ["gain", "gain1"])
        begin, end = scene["components"][1]["span"]
        self.assertTrue(
            text[begin:end].startswith("Modelica.Blocks.Math.Gain"))
        icon = client.ask("orrery/icon",
                          {"icons": [scene["components"][0]["icon"]]})
        self.assertIn("<g>", next(iter(icon.values()))["svg"])
        with self.assertRaises(Refused) as refused:
            client.ask("orrery/edit", {"uri": "file://" + path, "version": 1,
                                       "class": "M", "do": []})
        self.assertEqual(refused.exception.code, -32801)

    def test_parameters_are_described_with_units_and_choices(self):
        client = self.start()
        client.open("/nowhere/m.mo", """model M
  parameter Real R(unit="Ohm") = 5 "Resistance"
    annotation(Dialog(tab="T", group="G", enable=false));
  Modelica.Blocks.Continuous.Integrator i(k=3);
end M;
""")
        found = client.ask("orrery/describe",
                           {"uri": "file:///nowhere/m.mo", "class": "M"})
        field = found["parameters"][0]
        self.assertEqual((field["value"], field["tab"], field["group"],
                          field["enable"]), ("5", "T", "G", False))
        self.assertIn({"name": "kOhm", "factor": 1000, "offset": 0},
                      field["units"])
        found = client.ask("orrery/describe", {
            "uri": "file:///nowhere/m.mo", "class": "M", "component": "i"})
        by_name = {field["name"]: field for field in found["parameters"]}
        self.assertEqual(by_name["k"]["value"], "3")
        self.assertIsNone(by_name["initType"]["value"])
        self.assertTrue(any(
            choice["value"].endswith(".InitialOutput")
            for choice in by_name["initType"]["choices"]))

    def test_equations_come_with_their_places(self):
        client = self.start("--no-check")
        client.open("/nowhere/m.mo", "model M\n  Real x(start=1);\n"
                    "  Real y;\nequation\n  der(x) = -y;\n  y = 2*x;\n"
                    "end M;\n")
        ask = {"uri": "file:///nowhere/m.mo", "class": "M"}
        found = client.ask("orrery/equations", ask)["equations"]
        self.assertEqual(sorted(row["text"] for row in found),
                         ["der(x) = -y", "y = 2*x"])
        spans = {row["text"]: row["span"] for row in found}
        self.assertEqual(spans["y = 2*x"], [63, 70])
        client.change("/nowhere/m.mo", 2, "model M\n  Real x = y;\nend M;\n")
        with self.assertRaisesRegex(Refused, "'y'"):
            client.ask("orrery/equations", ask)


class PackageTest(Session):
    """A package in files, beside a library with a version."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in {
                "Lib/package.mo": "package Lib\n  connector In = input Real;\n"
                "  connector Out = output Real;\n"
                "  block Sum\n    parameter Integer n = 0 "
                "annotation(Dialog(connectorSizing=true));\n"
                "    In u[n];\n    Out y;\n  end Sum;\n"
                "  annotation(version=\"1.2\");\nend Lib;\n",
                "P/package.mo": "package P\n  model B\n  end B;\nend P;\n",
                "P/A.mo": "within P;\nmodel A\n  B b;\nend A;\n",
                "P/Q/package.mo": "within P;\npackage Q\nend Q;\n",
                "P/Q/U.mo": "within P.Q;\nmodel U\n  A a;\nend U;\n"}.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)

    def edit(self, client, name, class_name, *steps):
        """Texts after the steps by their names, and what happens to files."""
        edit = client.ask("orrery/edit", {
            "uri": "file://" + str(self.folder / name), "class": class_name,
            "do": list(steps)})
        texts, files = {}, []
        for change in edit["documentChanges"]:
            if "kind" in change:
                files.append((change["kind"], *(
                    os.path.relpath(path_of(change[key]), self.folder)
                    for key in ("uri", "oldUri", "newUri") if key in change)))
                continue
            path = pathlib.Path(path_of(change["textDocument"]["uri"]))
            texts[str(path.relative_to(self.folder))] = applied(
                path.read_text(), change["edits"])
        return texts, files

    def test_a_part_of_another_library_is_named_in_the_top_package(self):
        client = self.start("--no-check", folder=self.folder)
        part = {"op": "addComponent", "type": "Lib.Sum",
                "at": {"extent": [[-10, -10], [10, 10]]}}
        texts, _ = self.edit(client, "P/A.mo", "P.A", part, part)
        self.assertIn("  Lib.Sum sum1 ", texts["P/A.mo"])
        self.assertEqual(
            texts["P/package.mo"],
            "package P\n  model B\n  end B;\n"
            '  annotation(uses(Lib(version="1.2")));\nend P;\n')
        texts, _ = self.edit(client, "P/package.mo", "P.B", part)
        self.assertIn('uses(Lib(version="1.2"))', texts["P/package.mo"])
        self.assertEqual(len(texts), 1)

    def test_an_array_of_connectors_grows(self):
        (self.folder / "m.mo").write_text(
            "model M\n  Lib.Sum a(n=1), b;\nend M;\n")
        client = self.start("--no-check", folder=self.folder)
        texts, _ = self.edit(client, "m.mo", "M",
                             {"op": "connect", "from": "b.y", "to": "a.u"})
        self.assertEqual(
            texts["m.mo"], "model M\n  Lib.Sum a(n=2), b;\nequation\n"
            "  connect(b.y, a.u[2]);\nend M;\n")

    def test_a_class_moves_with_its_file(self):
        client = self.start("--no-check", folder=self.folder)
        texts, files = self.edit(client, "P/A.mo", "P.A",
                                 {"op": "moveClass", "to": "P.Q"})
        self.assertEqual(texts, {
            "P/A.mo": "within P.Q;\nmodel A\n  B b;\nend A;\n",
            "P/Q/U.mo": "within P.Q;\nmodel U\n  P.Q.A a;\nend U;\n"})
        self.assertEqual(files, [("rename", "P/A.mo", "P/Q/A.mo")])
        # This client does not make files.
        with self.assertRaisesRegex(Refused, "does not make, move and delete"):
            self.edit(client, "P/package.mo", "P.B",
                      {"op": "moveClass", "to": "P.Q"})


class OtherProgramsTest(Session):
    @unittest.skipUnless(shutil.which("nvim"), "Neovim is not installed")
    def test_neovim_shows_a_mistake_and_renames(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder, "m.mo")
            text.write_text("model M\n  Real level(start=1);\nequation\n"
                            "  der(level) = -levle;\nend M;\n")
            result = pathlib.Path(folder, "result.txt")
            subprocess.run(
                ["nvim", "--headless", "--clean", "-n", "-S",
                 str(GOLDEN.with_name("neovim.lua")), "--", PROGRAM,
                 str(text), str(result)],
                timeout=120, check=False, capture_output=True,
                env={**os.environ, "MODELICAPATH": "", "HOME": folder})
            self.assertEqual(
                result.read_text(),
                "4:17 no variable 'levle' in M; did you mean 'level'?\n"
                "model M\n  Real height(start=1);\nequation\n"
                "  der(height) = -levle;\nend M;\n")

    @unittest.skipUnless(pathlib.Path(PROGRAM).with_name("orrery").exists(),
                         "the command is not built")
    def test_a_model_is_run_by_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder, "m.mo")
            text.write_text("model M\n  Real x(start=2, fixed=true);\n"
                            "  parameter Real k = 1;\nequation\n"
                            "  der(x) = -k*x;\nend M;\n")
            client = self.start("--no-check", folder=folder)
            found = client.ask("workspace/executeCommand", {
                "command": "orrery.run",
                "arguments": [{"uri": "file://" + str(text), "class": "M",
                               "set": {"k": "0"},
                               "options": {"stop": "3"}}]})
            self.assertEqual(found["status"], 0, found["output"])
            self.assertIn("M", found["output"])
            self.assertTrue(pathlib.Path(folder, "orrery.db").exists())


class RobustnessTest(Session):
    def test_every_prefix_of_a_text_is_answered(self):
        """As somebody types. Memory stays flat."""
        client = self.start("--no-check")
        sizes = []
        for path in EXAMPLES:
            text = path.read_text()
            client.open("/nowhere/typed.mo", "")
            step = max(1, len(text) // 25)  # Asks so often.
            for end in range(len(text)):
                client.change("/nowhere/typed.mo", end + 2, text[:end])
                client.wait_for("textDocument/publishDiagnostics",
                                lambda p, v=end + 2: p.get("version") == v)
                if end % step:
                    continue
                line = text[:end].count("\n")
                column = len(text[:end].rpartition("\n")[2].encode())
                for method in ("completion", "hover", "signatureHelp"):
                    client.at("textDocument/" + method, "/nowhere/typed.mo",
                              line, column)
            client.close("/nowhere/typed.mo")
            sizes.append(client.memory_kb())
        self.assertLess(sizes[-1], 2 * sizes[len(sizes) // 3] + 20_000)

    def test_foreign_messages_do_not_end_it(self):
        client = self.start()
        random_numbers = random.Random(1)
        methods = sorted(client.started["capabilities"]) + [
            "textDocument/hover", "textDocument/completion", "orrery/edit",
            "orrery/scene", "textDocument/didChange", "textDocument/didOpen",
            "textDocument/rename", "orrery/describe", "workspace/symbol"]
        values = [None, 1, -5, 1e300, "", "file:///nowhere/m.mo", [], {}, True,
                  {"uri": "file:///nowhere/m.mo"}, {"line": -1},
                  {"line": 10 ** 12, "character": 10 ** 12},
                  [{"op": "move", "components": [""], "by": [1]}]]
        names = ["textDocument", "position", "uri", "class", "do", "query",
                 "newName", "contentChanges", "layer", "component"]
        client.open("/nowhere/m.mo", "model M\nend M;\n")
        for _ in range(1500):
            params = {name: random_numbers.choice(values)
                      for name in random_numbers.sample(names, 4)}
            if random_numbers.random() < 0.1:
                params = random_numbers.choice(values)
            method = random_numbers.choice(methods)
            if random_numbers.random() < 0.3:
                client.tell(method, params)
                continue
            try:
                client.ask(method, params)
            except Refused:
                pass
        self.assertEqual(client.ask("workspace/symbol",
                                    {"query": "nothing at all"}), [])


class GoldenTest(Session):
    """Where each name of the examples is declared, as it was once looked over.

    `ORRERY_KEEP=1` writes the file anew.
    """

    def lines(self):
        client = self.start("--no-check")
        for path in EXAMPLES:
            text = client.open(path)
            seen = set()
            for number, line in enumerate(text.split("\n")):
                code = re.sub(r'"[^"]*"', lambda m: " " * len(m[0]),
                              line.split("//")[0])
                for match in IDENTIFIER.finditer(code):
                    if match[0] in seen or match[0] in KEYWORDS:
                        continue
                    seen.add(match[0])
                    column = len(line[:match.start()].encode())
                    found = client.at("textDocument/definition", path, number,
                                      column)
                    at = "nothing"
                    if found:
                        target = pathlib.Path(path_of(found["uri"]))
                        start = found["range"]["start"]
                        at = (f"{target.name}:{start['line'] + 1}:"
                              f"{start['character'] + 1}")
                    yield (f"{path.name}:{number + 1}:{column + 1} "
                           f"{match[0]} -> {at}")

    def test_names_are_found_where_they_are_declared(self):
        found = list(self.lines())
        if os.environ.get("ORRERY_KEEP"):
            GOLDEN.write_text("\n".join(found) + "\n")
        self.maxDiff = None
        self.assertGreater(len(found), 200)
        self.assertEqual(found, GOLDEN.read_text().split("\n")[:-1])


if __name__ == "__main__":
    unittest.main()
