"""Drives `orrery-studio` as a browser does, and as attackers do."""

import json
import pathlib
import socket
import time
import unittest

from studio_client import Studio

MODEL = "model M\n  Real x(start = 1, fixed = true);\nequation\n" \
        "  der(x) = -x;\nend M;\n"


class StudioTest(unittest.TestCase):
    """One studio for many tests."""

    @classmethod
    def setUpClass(cls):
        cls.studio = Studio({"m.mo": MODEL, "parts/motor.mo": "model Motor\n"})

    @classmethod
    def tearDownClass(cls):
        cls.studio.close()

    def refused(self, status, method="GET", path="/api/session", **more):
        answer = self.studio.ask(method, path, **more)
        self.assertEqual(answer.status, status, answer.body)
        return answer


class SecurityTest(StudioTest):
    def test_session_is_open_to_the_page(self):
        session = self.studio.get("/api/session").json
        self.assertEqual(session["folder"], str(self.studio.folder))
        self.assertFalse(session["trusted"])

    def test_token_is_good_for_one_exchange(self):
        url = self.studio.command("--url").stdout.strip()
        query = url.partition("/?")[2]
        first = self.studio.get("/?" + query, cookie="", api=False)
        self.assertEqual(first.status, 303)
        self.assertEqual(first.headers["Location"], "/")
        self.assertIn("HttpOnly; SameSite=Strict", first.headers["Set-Cookie"])
        again = self.studio.get("/?" + query, cookie="", api=False)
        self.assertEqual(again.status, 403)
        self.assertNotIn("Set-Cookie", again.headers)

    def test_other_hosts_are_refused(self):
        port = self.studio.port
        for host in ["evil.example", f"evil.example:{port}", "127.0.0.1",
                     f"localhost:{port}", f"127.0.0.1:{port + 1}", ""]:
            with self.subTest(host=host):
                self.refused(403, headers={"Host": host})
                self.refused(403, path="/assets/x.js",
                             headers={"Host": host})

    def test_other_host_is_refused_for_the_page_too(self):
        self.refused(403, path="/", headers={"Host": "evil.example"})

    def test_localhost_leads_to_the_address(self):
        port = self.studio.port
        answer = self.refused(302, path="/?token=1",
                              headers={"Host": f"localhost:{port}"})
        self.assertEqual(answer.headers["Location"],
                         f"http://127.0.0.1:{port}/?token=1")

    def test_other_origins_are_refused(self):
        for headers in [{"Origin": "http://evil.example"}, {"Origin": "null"},
                        {"Sec-Fetch-Site": "cross-site"},
                        {"Sec-Fetch-Site": "same-site"}]:
            with self.subTest(headers=headers):
                self.refused(403, headers=headers)
                self.refused(403, "PUT", "/api/file?path=m.mo", body="x",
                             headers=headers)

    def test_forms_of_other_pages_are_refused(self):
        self.refused(403, "PUT", "/api/file?path=m.mo", body="x",
                     headers={"X-Orrery": None, "If-None-Match": "*"})
        self.refused(403, "DELETE", "/api/file?path=m.mo",
                     headers={"X-Orrery": None})
        self.assertTrue((self.studio.folder / "m.mo").exists())

    def test_no_cookie_is_refused(self):
        for cookie in ["orrery_1=x", f"orrery_{self.studio.port}=x",
                       "other=" + self.studio.cookie.partition("=")[2]]:
            with self.subTest(cookie=cookie):
                self.refused(401, cookie=cookie)
                self.refused(401, path="/api/file?path=m.mo", cookie=cookie)
                self.refused(401, path="/api/events", cookie=cookie)

    def test_token_needs_the_key(self):
        self.refused(401, "POST", "/api/token", body="")
        self.refused(401, "POST", "/api/token", body="",
                     headers={"X-Orrery-Key": "0" * 64})

    def test_there_are_no_headers_for_other_origins(self):
        answer = self.studio.ask("OPTIONS", "/api/session")
        self.assertEqual(answer.status, 405)
        self.assertFalse([name for name in answer.headers
                          if name.lower().startswith("access-control")])

    def test_a_large_body_of_a_wrong_host_is_not_read(self):
        with socket.create_connection(("127.0.0.1", self.studio.port)) as wire:
            wire.sendall(b"PUT /api/file?path=m.mo HTTP/1.1\r\n"
                         b"Host: evil.example\r\nX-Orrery: 1\r\n"
                         b"Content-Length: 3000000\r\n\r\n")
            wire.settimeout(5)
            self.assertIn(b"403", wire.recv(4096).partition(b"\r\n")[0])

    def test_body_of_a_refused_request_is_no_other_request(self):
        hidden = ("GET /api/session HTTP/1.1\r\n"
                  f"Host: 127.0.0.1:{self.studio.port}\r\n"
                  f"Cookie: {self.studio.cookie}\r\n\r\n").encode()
        with socket.create_connection(("127.0.0.1", self.studio.port)) as wire:
            wire.sendall(b"PUT /api/file?path=m.mo HTTP/1.1\r\n"
                         b"Host: evil.example\r\n"
                         + f"Content-Length: {len(hidden)}\r\n\r\n".encode()
                         + hidden)
            wire.settimeout(5)
            got = b""
            try:
                while part := wire.recv(4096):
                    got += part
            except ConnectionResetError:
                pass
            self.assertNotIn(b"200 OK", got)

    def test_unbounded_bodies_are_refused(self):
        self.refused(413, "PUT", "/api/file?path=m.mo",
                     headers={"Content-Length": "40000000"})
        self.refused(411, "PUT", "/api/file?path=m.mo",
                     headers={"Transfer-Encoding": "chunked"})
        self.refused(411, "PUT", "/api/file?path=m.mo")
        self.refused(415, "PUT", "/api/file?path=m.mo", body="x",
                     headers={"Content-Encoding": "gzip"})

    def test_ranges_are_refused(self):
        for value in ["bytes=0-1", "bytes=999999-9999999", "bytes=-1"]:
            self.refused(416, path="/", headers={"Range": value})

    def test_paths_stay_in_the_folder(self):
        outside = self.studio.home / "secret"
        outside.write_text("secret")
        link = self.studio.folder / "link"
        if not link.is_symlink():
            link.symlink_to(outside)
        for path in ["../secret", "link", str(outside), "parts/../../secret",
                     "..%2fsecret", "%2e%2e/secret", "", ".", ".orrery/trash",
                     "parts//motor.mo", "m.mo%00.txt"]:
            with self.subTest(path=path):
                self.refused(400, path="/api/file?path=" + path)

    def test_addresses_that_lead_elsewhere_are_refused(self):
        for path in ["/../etc/passwd", "/assets/../../etc/passwd",
                     "/assets/%2e%2e/%2e%2e/etc/passwd",
                     "/assets/..%2f..%2fetc/passwd", "//evil.example/",
                     "/%00"]:
            with self.subTest(path=path):
                self.refused(400, path=path)

    def test_answers_have_their_guards(self):
        page = self.studio.get("/", cookie="", api=False)
        policy = page.headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'; script-src 'self'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        self.assertNotIn("unsafe", policy)
        other = self.studio.get("/", cookie="", api=False)
        self.assertNotEqual(policy,
                            other.headers["Content-Security-Policy"])
        data = self.studio.get("/api/file?path=m.mo")
        self.assertEqual(data.headers["X-Content-Type-Options"], "nosniff")
        self.assertIn("sandbox", data.headers["Content-Security-Policy"])
        self.assertEqual(data.headers["Cross-Origin-Resource-Policy"],
                         "same-origin")

    def test_it_listens_on_this_machine_only(self):
        with socket.socket() as other:
            other.settimeout(2)
            self.assertNotEqual(
                other.connect_ex(("127.0.0.2", self.studio.port)), 0)


class FilesTest(StudioTest):
    def put(self, path, text, etag=None):
        headers = {"If-Match": etag} if etag else {"If-None-Match": "*"}
        return self.studio.ask("PUT", "/api/file?path=" + path, body=text,
                               headers=headers)

    def test_lists_the_folder(self):
        items = self.studio.get("/api/files").json["items"]
        self.assertEqual(items[0], {"path": "parts", "kind": "folder",
                                    "size": items[0]["size"]})
        self.assertIn("m.mo", [item["path"] for item in items])
        below = self.studio.get("/api/files?under=parts").json["items"]
        self.assertEqual([item["path"] for item in below],
                         ["parts/motor.mo"])

    def test_saves_what_it_has_read(self):
        text = "model Ü\r\nend Ü;"
        self.studio.write("crlf.mo", text)
        read = self.studio.get("/api/file?path=crlf.mo")
        self.assertEqual(read.text, text)
        saved = self.put("crlf.mo", text + "\r\n", read.headers["ETag"])
        self.assertEqual(saved.status, 200)
        self.assertEqual((self.studio.folder / "crlf.mo").read_bytes(),
                         (text + "\r\n").encode())
        again = self.put("crlf.mo", text, saved.headers["ETag"])
        self.assertEqual(again.status, 200)

    def test_conflict_gives_the_text_on_the_disk(self):
        self.studio.write("c.mo", "one")
        known = self.studio.get("/api/file?path=c.mo").headers["ETag"]
        self.studio.write("c.mo", "theirs")
        answer = self.put("c.mo", "mine", known)
        self.assertEqual(answer.status, 412)
        self.assertEqual(answer.text, "theirs")
        merged = self.put("c.mo", "merged", answer.headers["ETag"])
        self.assertEqual(merged.status, 200)
        self.assertEqual((self.studio.folder / "c.mo").read_text(), "merged")

    def test_file_that_was_removed_meanwhile_is_told(self):
        self.studio.write("gone.mo", "one")
        known = self.studio.get("/api/file?path=gone.mo").headers["ETag"]
        (self.studio.folder / "gone.mo").unlink()
        answer = self.put("gone.mo", "mine", known)
        self.assertEqual(answer.status, 412)
        self.assertEqual(answer.json["error"]["code"], "gone")
        self.assertEqual(self.put("gone.mo", "mine").status, 200)

    def test_new_file_replaces_none(self):
        self.studio.write("taken.mo", "theirs")
        self.assertEqual(self.put("taken.mo", "mine").status, 412)
        self.assertEqual((self.studio.folder / "taken.mo").read_text(),
                         "theirs")

    def test_saving_needs_the_former_state(self):
        answer = self.studio.ask("PUT", "/api/file?path=m.mo", body="x")
        self.assertEqual(answer.status, 428)

    def test_removed_file_is_in_the_trash(self):
        self.studio.write("old.mo", "kept")
        answer = self.studio.ask("DELETE", "/api/file?path=old.mo")
        self.assertEqual((self.studio.folder / answer.json["trash"])
                         .read_text(), "kept")
        self.assertEqual(self.studio.get("/api/file?path=old.mo").status, 404)

    def test_moves_to_a_free_place(self):
        self.studio.write("a.mo", "a")
        body = {"from": "a.mo", "to": "m.mo"}
        self.assertEqual(self.studio.ask("POST", "/api/file/move",
                                         body=body).status, 409)
        body["to"] = "deep/b.mo"
        self.assertEqual(self.studio.ask("POST", "/api/file/move",
                                         body=body).status, 204)
        self.assertEqual((self.studio.folder / "deep/b.mo").read_text(), "a")

    def test_read_only_file_stays(self):
        self.studio.write("fixed.mo", "fixed")
        path = self.studio.folder / "fixed.mo"
        path.chmod(0o444)
        known = self.studio.get("/api/file?path=fixed.mo").headers["ETag"]
        answer = self.put("fixed.mo", "mine", known)
        # Root may write anything.
        self.assertIn(answer.status, (403, 200))
        if answer.status == 403:
            self.assertEqual(path.read_text(), "fixed")

    def test_draft_outlives_the_studio_and_ends_when_it_is_saved(self):
        self.studio.write("d.mo", "saved")
        known = self.studio.get("/api/file?path=d.mo").headers["ETag"]
        put = self.studio.ask("PUT", "/api/draft?path=d.mo", body="unsaved",
                              headers={"If-Match": known})
        self.assertEqual(put.status, 204)
        self.studio.process.kill()
        self.studio.process.wait()
        self.studio.process.stdout.close()
        self.studio.start()
        drafts = self.studio.get("/api/drafts").json["items"]
        self.assertEqual(drafts, [{"path": "d.mo", "base": known,
                                   "text": "unsaved"}])
        self.put("d.mo", "unsaved", known)
        self.assertEqual(self.studio.get("/api/drafts").json["items"], [])

    def test_file_has_one_writer_that_others_may_replace(self):
        def ask(page, take=False):
            answer = self.studio.ask(
                "POST", "/api/writer",
                body=json.dumps({"path": "w.mo", "page": page, "take": take}))
            return answer.json["page"], answer.json["leaving"]

        def keep(page):
            return self.studio.ask("PUT", f"/api/draft?path=w.mo&page={page}",
                                   body=f"of {page}").status

        events = self.studio.events()
        next(iter(events))
        self.assertEqual(ask("one"), ("one", ""))
        self.assertEqual(ask("two"), ("one", ""))
        self.assertEqual((keep("one"), keep("two")), (204, 409))
        self.assertEqual(ask("two", take=True), ("two", "one"))
        self.assertEqual(keep("one"), 204)
        events.until("writer", path="w.mo", page="two", leaving="one")
        left = self.studio.ask("DELETE", "/api/writer?path=w.mo&page=one")
        self.assertEqual(
            left.json, {"path": "w.mo", "page": "two", "leaving": ""})
        self.assertEqual(keep("one"), 409)
        drafts = self.studio.get("/api/drafts").json["items"]
        self.assertEqual(drafts[0]["text"], "of one")
        events.close()


class EventsTest(StudioTest):
    def test_begins_with_its_number(self):
        events = self.studio.events()
        self.assertEqual(next(iter(events))["event"], "hello")
        events.close()

    def test_tells_what_other_programs_write(self):
        events = self.studio.events()
        next(iter(events))
        self.studio.write("new.mo", "x")
        event = events.until("file", path="new.mo")
        self.assertIn(event["data"]["what"], ("made", "changed"))
        (self.studio.folder / "new.mo").unlink()
        events.until("file", path="new.mo", what="gone")
        events.close()

    def test_tells_of_files_in_new_folders(self):
        events = self.studio.events()
        next(iter(events))
        (self.studio.folder / "later").mkdir()
        events.until("file", path="later")
        self.studio.write("later/n.mo", "x")
        events.until("file", path="later/n.mo")
        events.close()

    def test_resumes_without_a_gap(self):
        events = self.studio.events()
        next(iter(events))
        self.studio.write("e0.mo", "x")
        last = events.until("file", path="e0.mo")["id"]
        events.close()
        self.studio.write("e1.mo", "x")
        self.studio.write("e2.mo", "x")
        time.sleep(0.3)
        again = self.studio.events(last)
        paths = []
        for event in again:
            if event["event"] == "file":
                self.assertGreater(int(event["id"]), int(last))
                paths.append(event["data"]["path"])
            if "e2.mo" in paths:
                break
        self.assertIn("e1.mo", paths)
        again.close()

    def test_asks_to_read_all_after_a_gap(self):
        for last in ["999999", "x", "-1"]:
            events = self.studio.events(last)
            stream = iter(events)
            self.assertEqual(next(stream)["event"], "hello")
            self.assertEqual(next(stream)["event"], "resync")
            events.close()

    def test_seventeenth_stream_is_told_why(self):
        time.sleep(2.5)  # Streams of other tests end with their next beat.
        streams = [self.studio.events() for _ in range(16)]
        self.assertEqual([s.status for s in streams], [200] * 16)
        self.assertEqual(self.studio.events().status, 503)
        self.assertEqual(self.studio.get("/api/session").status, 200)
        for stream in streams:
            stream.close()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            again = self.studio.events()
            again.close()
            if again.status == 200:
                break
            time.sleep(0.2)
        self.assertEqual(again.status, 200)


class StartTest(unittest.TestCase):
    def test_second_studio_finds_the_first(self):
        studio = Studio()
        self.addCleanup(studio.close)
        other = studio.command("--no-browser")
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertTrue(other.stdout.startswith(
            f"http://127.0.0.1:{studio.port}/?token="))
        query = other.stdout.strip().partition("/?")[2]
        self.assertEqual(
            studio.get("/?" + query, cookie="", api=False).status, 303)

    def test_url_needs_a_studio(self):
        studio = Studio()
        self.addCleanup(studio.close)
        studio.stop()
        told = studio.command("--url")
        self.assertEqual(told.returncode, 2)
        self.assertIn("none runs", told.stderr)

    def test_place_is_read_by_its_user_only(self):
        studio = Studio()
        self.addCleanup(studio.close)
        places = list((studio.home / "run/orrery").iterdir())
        self.assertTrue(places)
        for place in places:
            self.assertEqual(place.stat().st_mode & 0o077, 0)

    def test_folder_is_trusted_once_its_user_says_so(self):
        studio = Studio()
        self.addCleanup(studio.close)
        studio.ask("PUT", "/api/trust", body={"trusted": True})
        self.assertTrue(studio.get("/api/session").json["trusted"])
        self.assertEqual((studio.home / "config/orrery/trusted").read_text(),
                         str(studio.folder) + "\n")
        studio.ask("PUT", "/api/trust", body={"trusted": False})
        self.assertFalse(studio.get("/api/session").json["trusted"])

    def test_address_of_all_interfaces_is_refused_with_what_to_give(self):
        studio = Studio()
        self.addCleanup(studio.close)
        studio.stop()
        told = studio.command("--no-browser", "--listen", "0.0.0.0")
        self.assertEqual(told.returncode, 2)
        self.assertIn("--listen 192.168.1.7", told.stderr)

    def test_missing_folder_is_told(self):
        studio = Studio()
        self.addCleanup(studio.close)
        told = Studio.command(studio, "--no-browser", "--port", "70000")
        self.assertNotEqual(told.returncode, 0)

    def test_other_build_of_the_page_is_served(self):
        build = pathlib.Path(__file__).parent
        studio = Studio(options=["--page", str(build)])
        self.addCleanup(studio.close)
        self.assertIn("page is missing", studio.get("/").text)


if __name__ == "__main__":
    unittest.main()
