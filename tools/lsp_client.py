"""A client of orrery-lsp for tests and tools: requests over its two pipes."""

import glob
import json
import os
import subprocess
import urllib.parse


class Refused(Exception):
    """A request that was answered with an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


def path_of(uri):
    return urllib.parse.unquote(uri[len("file://"):])


class Client:
    """One session. Notifications of the server gather in `notices`."""

    def __init__(self, program, *options, encodings=("utf-8",), libraries=(),
                 folder=None, environment=None):
        self.process = subprocess.Popen(
            [program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, **(environment or {})})
        self.notices = []
        self.number = 0
        self.started = self.ask("initialize", {
            "processId": os.getpid(),
            "rootUri": uri_of(folder) if folder else None,
            "capabilities": {
                "general": {"positionEncodings": list(encodings)},
                "workspace": {
                    "workspaceEdit": {"resourceOperations": ["rename"]}}},
            "initializationOptions": {"libraries": list(libraries)}})
        self.tell("initialized", {})

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(
            b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def read(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("orrery-lsp has ended")
            if line == b"\r\n":
                break
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.number and "method" not in message:
                if "error" in message:
                    raise Refused(message["error"])
                return message["result"]
            self.notices.append(message)

    def wait_for(self, method, holds=lambda params: True):
        """The parameters of the next notification for which `holds`."""
        for i, message in enumerate(self.notices):
            if message.get("method") == method and holds(message["params"]):
                del self.notices[:i + 1]
                return message["params"]
        while True:
            message = self.read()
            if message.get("method") == method and holds(message["params"]):
                return message["params"]
            self.notices.append(message)

    def open(self, path, text=None, version=1):
        if text is None:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": uri_of(path), "languageId": "modelica", "version": version,
            "text": text}})
        return text

    def change(self, path, version, text):
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": uri_of(path), "version": version},
            "contentChanges": [{"text": text}]})

    def close(self, path):
        self.tell("textDocument/didClose",
                  {"textDocument": {"uri": uri_of(path)}})

    def at(self, method, path, line, character, **more):
        return self.ask(method, {
            "textDocument": {"uri": uri_of(path)},
            "position": {"line": line, "character": character}, **more})

    def memory_kb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
        return 0

    def busy_s(self):
        """The time that the threads of the server had a processor."""
        total = 0
        for stat in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            with open(stat) as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def stop(self):
        self.ask("shutdown", {})
        self.tell("exit", {})
        self.process.stdin.close()
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        return code


def applied(text, edits):
    """The text after edits of LSP, positions in UTF-8."""
    data = text.encode()
    begins = [0]
    for i, byte in enumerate(data):
        if byte == 10 or (byte == 13 and data[i + 1:i + 2] != b"\n"):
            begins.append(i + 1)

    def offset(position):
        return begins[position["line"]] + position["character"]

    spans = sorted(((offset(e["range"]["start"]), offset(e["range"]["end"]),
                     e["newText"]) for e in edits), key=lambda s: s[:2],
                   reverse=True)
    for begin, end, new in spans:
        data = data[:begin] + new.encode() + data[end:]
    return data.decode()
