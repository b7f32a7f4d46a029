#!/usr/bin/env python3
"""Asks the language service about all classes of a library.

    tools/language_over_library.py build/release/bin/orrery-lsp FOLDER [NAME]

FOLDER holds the library, as `Modelica 4.1.0/package.mo`; NAME limits the
classes to a package. Of every class: diagram, icon and parameters; where
its name and the types of its parts are declared, what hovers over them and
completes them. Of every class with parts: a part is moved there and back,
which must give the same bytes; a modifier is set and taken away. Of every
file: its outline, folds and colours. Now and then: all uses of a name.
Of some examples: the time from a key to the findings of the compiler.
Times are those that the server is busy; of checks, those on the clock.
Prints the figures, and exits 1 if a law does not hold for a class, or a
kind of request is slower than it may be 95 of 100 times.
"""

import re
import sys
import time

from lsp_client import Client, Refused, applied, path_of, uri_of

# Milliseconds that 95 of 100 requests may take.
BOUNDS = {"syntax": 50, "check": 500, "definition": 50,
          "typeDefinition": 50, "hover": 30, "signatureHelp": 30,
          "completion": 50, "documentHighlight": 50, "references": 300,
          "prepareRename": 300, "documentSymbol": 50, "foldingRange": 50,
          "selectionRange": 50, "semanticTokens": 50, "inlayHint": 50,
          "codeAction": 50, "formatting": 50, "workspace/symbol": 50,
          "diagram": 50, "icon": 50, "describe": 50, "edit": 50}
OPEN_FILES = 20
REFERENCES_EACH = 100  # One class of so many is looked for everywhere.
CHECK_EACH = 10  # One example of so many is compiled.


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def place_behind(text):
    """The position behind a text, as LSP counts in UTF-8."""
    return {"line": text.count("\n"),
            "character": len(text.rpartition("\n")[2].encode())}


class Walk:
    def __init__(self, client):
        self.client = client
        self.times = {}
        self.failures = []
        self.counts = {"classes": 0, "parts": 0, "lines": 0, "moved": 0,
                       "notes": 0, "declared": 0}
        self.opened = {}

    def took(self, what, begin):
        self.times.setdefault(what, []).append(
            1000 * (self.client.busy_s() - begin))

    def timed(self, what, method, params):
        begin = self.client.busy_s()
        try:
            return self.client.ask(method, params)
        finally:
            self.took(what, begin)

    def classes(self, under):
        offset = 0
        while True:
            page = self.client.ask("orrery/classes", {
                "under": under, "offset": offset, "limit": 500})
            for item in page["items"]:
                yield item["name"]
                if item["children"]:
                    yield from self.classes(item["name"])
            offset += 500
            if offset >= page["total"]:
                return

    def open(self, path):
        """The text; at most 20 files are open, the latest ones."""
        text = self.opened.pop(path, None)
        if text is None:
            if len(self.opened) >= OPEN_FILES:
                oldest = next(iter(self.opened))
                del self.opened[oldest]
                self.client.close(oldest)
            begin = self.client.busy_s()
            text = self.client.open(path)
            self.wait_for_findings(path)
            self.took("syntax", begin)
            self.ask_of_file(path)
        self.opened[path] = text
        return text

    def wait_for_findings(self, path, version=1):
        self.client.wait_for("textDocument/publishDiagnostics",
                             lambda params: params["uri"] == uri_of(path)
                             and params.get("version") == version)

    def check(self, name):
        """A key in a class, its syntax, then what the compiler finds."""
        described = self.client.ask("orrery/describe", {"class": name})
        path = path_of(described["uri"])
        text = self.client.open(path)
        self.wait_for_findings(path)
        place = place_behind(text.encode()[:described["span"][1]].decode())
        begin = time.perf_counter()
        self.client.tell("textDocument/didChange", {
            "textDocument": {"uri": uri_of(path), "version": 2},
            "contentChanges": [{"range": {"start": place, "end": place},
                                "text": " "}]})
        self.wait_for_findings(path, 2)
        self.wait_for_findings(path, 2)
        self.times.setdefault("check", []).append(
            1000 * (time.perf_counter() - begin))
        self.client.close(path)

    def ask_of_file(self, path):
        document = {"textDocument": {"uri": uri_of(path)}}
        everything = {"start": {"line": 0, "character": 0},
                      "end": {"line": 10 ** 6, "character": 0}}
        for what, more in (
                ("documentSymbol", {}), ("foldingRange", {}),
                ("semanticTokens", {}), ("inlayHint", {"range": everything}),
                ("codeAction", {"range": everything,
                                "context": {"diagnostics": []}}),
                ("formatting", {"options": {"tabSize": 2,
                                            "insertSpaces": True}})):
            method = "textDocument/" + what
            self.timed(what, method + "/full" if what == "semanticTokens"
                       else method, {**document, **more})

    def edits(self, path, name, steps):
        text = self.open(path)
        edit = self.timed("edit", "orrery/edit", {
            "uri": uri_of(path), "version": 1, "class": name, "do": steps})
        return applied(text, edit["documentChanges"][0]["edits"])

    def law(self, path, name, steps, holds):
        try:
            after = self.edits(path, name, steps)
        except Refused as refused:
            if "no list of numbers" not in str(refused):
                self.failures.append(f"{name}: {steps}: {refused}")
            return
        if not holds(after):
            text = self.open(path)
            where = next((f"{a.strip()} -> {b.strip()}" for a, b in zip(
                text.split("\n"), after.split("\n")) if a != b), "")
            self.failures.append(f"{name}: {steps[0]['op']}: {where}")

    def ask_at(self, what, path, offset, **more):
        params = {"textDocument": {"uri": uri_of(path)},
                  "position": place_behind(self.opened[path][:offset]), **more}
        if what == "selectionRange":
            params["positions"] = [params["position"]]
        return self.timed(what, "textDocument/" + what, params)

    def ask_where(self, path, described, name):
        """The name of a class leads to itself; all else is only asked."""
        text = self.open(path)
        data = text.encode()
        offset = len(data[:described["span"][0]].decode())
        found = self.ask_at("definition", path, offset)
        wanted = place_behind(text[:offset])
        if not found or found["uri"] != described["uri"] or (
                found["range"]["start"] != wanted):
            self.failures.append(
                f"{name}: declared at {wanted}, found {found}")
        self.ask_at("hover", path, offset)
        if self.counts["classes"] % REFERENCES_EACH == 0:
            for what in ("documentHighlight", "prepareRename"):
                try:
                    self.ask_at(what, path, offset)
                except Refused:
                    pass  # It belongs to a library.
            self.ask_at("references", path, offset,
                        context={"includeDeclaration": True})
            self.timed("workspace/symbol", "workspace/symbol",
                       {"query": name.rpartition(".")[2]})

    def ask_of_part(self, path, part):
        """The type of a part, and the part itself."""
        begin, end = part["span"]
        text = self.open(path)
        data = text.encode()
        offset = len(data[:begin].decode())
        declared = data[begin:end].decode()
        dotted = re.search(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", declared)
        if dotted:
            at = offset + dotted.end()
            for what in ("definition", "typeDefinition", "hover",
                         "completion", "selectionRange"):
                self.ask_at(what, path, at)
        bracket = declared.find("(")
        if bracket > 0:
            self.ask_at("completion", path, offset + bracket + 1)
            self.ask_at("signatureHelp", path, offset + bracket + 1)

    def visit(self, name):
        self.counts["classes"] += 1
        try:
            scene = self.timed("diagram", "orrery/scene", {"class": name})
            self.timed("icon", "orrery/scene",
                       {"class": name, "layer": "icon"})
            described = self.timed("describe", "orrery/describe",
                                   {"class": name})
        except Refused as refused:
            self.failures.append(f"{name}: {refused}")
            return
        self.counts["declared"] += described["uri"] is not None
        self.counts["parts"] += len(scene["components"])
        self.counts["lines"] += len(scene["connections"])
        self.counts["notes"] += len(scene["notes"])
        path = path_of(scene["uri"])
        if "/cache" in path or "/.cache" in path:
            return
        self.ask_where(path, described, name)
        own = [part["name"] for part in scene["components"]
               if part["inherited"] is None and part["at"]]
        if not own:
            return
        self.ask_of_part(path, next(
            part for part in scene["components"] if part["name"] == own[0]))
        text = self.open(path)
        self.counts["moved"] += len(own)
        self.law(path, name, [
            {"op": "move", "components": own, "by": [7, -3.5]},
            {"op": "move", "components": own, "by": [-7, 3.5]}],
            lambda after: after == text)
        for part in (own[0], own[-1]):
            self.law(path, name, [
                {"op": "move", "components": [part], "by": [7, -3.5]},
                {"op": "move", "components": [part], "by": [-7, 3.5]}],
                lambda after: after == text)
        self.law(path, name, [
            {"op": "move", "components": own[:1], "by": [13, 0]}],
            lambda after: after != text)
        self.law(path, name, [
            {"op": "setModifier", "component": own[0], "path": "zz.yy",
             "text": "42"},
            {"op": "setModifier", "component": own[0], "path": "zz.yy",
             "text": None}],
            lambda after: after == text)


def main():
    program, folder = sys.argv[1:3]
    under = sys.argv[3] if len(sys.argv) > 3 else "Modelica"
    begin = time.perf_counter()
    client = Client(program, "--no-check", "--library", folder,
                    environment={"MODELICAPATH": ""})
    client.ask("orrery/search", {"query": "resistor"})
    print(f"index {time.perf_counter() - begin:.2f} s, "
          f"{client.memory_kb() // 1024} MB")
    walk = Walk(client)
    for name in [under, *walk.classes(under)]:
        walk.visit(name)
    memory = client.memory_kb()
    client.stop()
    walk.client = Client(program, "--library", folder,
                         environment={"MODELICAPATH": ""})
    examples = [entry["name"] for entry in walk.client.ask(
        "orrery/search", {"query": "Examples.", "limit": 10 ** 5})["items"]
        if entry["kind"] == "model" and not entry["partial"]
        and entry["name"].startswith(under + ".")]
    for name in sorted(examples)[::CHECK_EACH]:
        walk.check(name)
    print(", ".join(f"{count} {what}" for what, count in walk.counts.items()))
    slow = 0
    for what, times in sorted(walk.times.items()):
        most = percentile(times, .95)
        bound = BOUNDS[what]
        slow += most > bound
        print(f"{what:18} {len(times):6} p50 {percentile(times, .5):7.1f} ms"
              f"  p95 {most:7.1f} ms  most {max(times):7.1f} ms"
              f"  bound {bound} ms" + ("  SLOW" if most > bound else ""))
    print(f"memory {memory // 1024} MB")
    for failure in walk.failures[:40]:
        print("FAILED", failure[:300])
    print(f"{len(walk.failures)} failures, {slow} slow")
    walk.client.stop()
    return 1 if walk.failures or slow else 0


if __name__ == "__main__":
    sys.exit(main())
