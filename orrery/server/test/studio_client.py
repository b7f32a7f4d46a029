"""A studio that tests start, and a browser's way to talk to it."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import urllib.parse

STUDIO = os.environ["ORRERY_STUDIO"]


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


class Studio:
    """A studio on a folder, with a home of its own."""

    def __init__(self, files=None, options=(), env=None):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="orrery_studio_"))
        self.folder = self.home / "models"
        self.folder.mkdir()
        for name, text in (files or {}).items():
            self.write(name, text)
        runtime = self.home / "run"
        runtime.mkdir(mode=0o700)
        self.env = dict(os.environ, HOME=str(self.home),
                        XDG_RUNTIME_DIR=str(runtime),
                        XDG_STATE_HOME=str(self.home / "state"),
                        XDG_CONFIG_HOME=str(self.home / "config"),
                        XDG_CACHE_HOME=str(self.home / "cache"))
        self.env.pop("ORRERY_EXTERNAL", None)
        self.env.update(env or {})
        self.options = list(options)
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [STUDIO, str(self.folder), "--no-browser", *self.options],
            stdout=subprocess.PIPE, env=self.env, text=True)
        self.url = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.url)
        self.port = parts.port
        answer = self.ask("GET", "/?" + parts.query, cookie="", api=False)
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def command(self, *words):
        """What `orrery-studio FOLDER WORDS` prints."""
        return subprocess.run([STUDIO, str(self.folder), *words],
                              env=self.env, text=True, capture_output=True,
                              timeout=20)

    @contextlib.contextmanager
    def connection(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port,
                                                timeout=20)
        try:
            yield connection
        finally:
            connection.close()

    def ask(self, method, path, body=None, headers=None, cookie=None,
            api=True):
        """A request as our page sends it; a header of None is left out."""
        sent = {"X-Orrery": "1"} if api else {}
        value = self.cookie if cookie is None else cookie
        if value:
            sent["Cookie"] = value
        sent.update(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        with self.connection() as connection:
            connection.putrequest(method, path, skip_host="Host" in sent,
                                  skip_accept_encoding=True)
            if body is not None and "Content-Length" not in sent:
                sent["Content-Length"] = str(len(body))
            for name, text in sent.items():
                if text is not None:
                    connection.putheader(name, text)
            connection.endheaders()
            if body is not None:
                connection.send(body)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def events(self, last=None, headers=None):
        return Events(self, last, headers)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def close(self):
        if self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.home, ignore_errors=True)


class Events:
    """A stream of events."""

    def __init__(self, studio, last=None, headers=None):
        self.connection = http.client.HTTPConnection(
            "127.0.0.1", studio.port, timeout=20)
        sent = {"Cookie": studio.cookie, **(headers or {})}
        if last is not None:
            sent["Last-Event-ID"] = str(last)
        self.connection.request("GET", "/api/events", headers=sent)
        self.answer = self.connection.getresponse()
        self.status = self.answer.status
        self.rest = b""

    def __iter__(self):
        while True:
            while b"\n\n" not in self.rest:
                part = self.answer.read1(1 << 16)
                if not part:
                    return
                self.rest += part
            text, _, self.rest = self.rest.partition(b"\n\n")
            if text.startswith(b":"):
                continue
            event = dict(line.split(": ", 1)
                         for line in text.decode().split("\n"))
            event["data"] = json.loads(event["data"])
            yield event

    def until(self, wanted, **values):
        """The first event of a type, with these values in its data."""
        for event in self:
            if event["event"] == wanted and all(
                    event["data"].get(k) == v for k, v in values.items()):
                return event
        return None

    def close(self):
        self.connection.close()
