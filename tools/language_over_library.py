#!/usr/bin/env python3
"""Asks the language service about all classes of a library.

    tools/language_over_library.py build/release/bin/orrery-lsp FOLDER [NAME]

FOLDER holds the library, as `Modelica 4.1.0/package.mo`; NAME limits the
classes to a package. Of every class: diagram and icon; where its name is
declared. Of every class with parts: a part is moved there and back, which must
give the same bytes; a modifier is set and taken away. Prints the figures, and
exits 1 for each class for which a law does not hold.
"""

import sys
import time

from lsp_client import Client, Refused, applied, path_of, uri_of


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Walk:
    def __init__(self, client):
        self.client = client
        self.times = {}
        self.failures = []
        self.counts = {"classes": 0, "parts": 0, "lines": 0, "moved": 0,
                       "notes": 0, "declared": 0}
        self.opened = {}

    def timed(self, what, method, params):
        begin = time.perf_counter()
        try:
            return self.client.ask(method, params)
        finally:
            self.times.setdefault(what, []).append(
                1000 * (time.perf_counter() - begin))

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
        """The text and its version; at most 20 files are open."""
        if path not in self.opened:
            if len(self.opened) >= 20:
                self.client.close(self.opened.popitem()[0])
            self.opened[path] = [self.client.open(path), 1]
        return self.opened[path]

    def edits(self, path, name, steps):
        text, version = self.open(path)
        edit = self.timed("edit", "orrery/edit", {
            "uri": uri_of(path), "version": version, "class": name,
            "do": steps})
        return applied(text, edit["documentChanges"][0]["edits"])

    def law(self, path, name, steps, holds):
        try:
            after = self.edits(path, name, steps)
        except Refused as refused:
            if "no list of numbers" not in str(refused):
                self.failures.append(f"{name}: {steps}: {refused}")
            return
        if not holds(after):
            text = self.open(path)[0]
            where = next((f"{a.strip()} -> {b.strip()}" for a, b in zip(
                text.split("\n"), after.split("\n")) if a != b), "")
            self.failures.append(f"{name}: {steps[0]['op']}: {where}")

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
        own = [part["name"] for part in scene["components"]
               if part["inherited"] is None and part["at"]]
        if not own or "/cache" in path or "/.cache" in path:
            return
        text, _ = self.open(path)
        self.counts["moved"] += len(own)
        self.law(path, name, [
            {"op": "move", "components": own, "by": [7, -3.5]},
            {"op": "move", "components": own, "by": [-7, 3.5]}],
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
    print(", ".join(f"{count} {what}" for what, count in walk.counts.items()))
    for what, times in walk.times.items():
        print(f"{what:9} p50 {percentile(times, .5):7.1f} ms"
              f"  p95 {percentile(times, .95):7.1f} ms"
              f"  most {max(times):7.1f} ms")
    print(f"memory {client.memory_kb() // 1024} MB")
    for failure in walk.failures[:40]:
        print("FAILED", failure[:300])
    print(f"{len(walk.failures)} failures")
    client.stop()
    return 1 if walk.failures else 0


if __name__ == "__main__":
    sys.exit(main())
