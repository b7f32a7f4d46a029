#!/usr/bin/env python3
"""Runs a file of scenarios of the studio's page in Chromium.

check_page.py BIN FILE: BIN is the folder with orrery-studio, orrery-lsp and
orrery, FILE a file of web/test. The page is web/dist, as scripts/build makes
it. What the scenarios need and is not there is told, and the end is 77, which
CTest takes as skipped.
"""

import os
import pathlib
import shutil
import subprocess
import sys

WEB = pathlib.Path(__file__).resolve().parent.parent / "web"
BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser")
SKIPPED = 77


def missing(programs):
    """What the scenarios cannot do without and is not installed."""
    if not (programs / "orrery-studio").exists():
        return "orrery-studio, which -DORRERY_STUDIO=ON builds"
    if shutil.which("node") is None:
        return "Node.js"
    if not any(os.path.exists(browser) for browser in BROWSERS):
        return "Chromium"
    if not (WEB / "node_modules" / "playwright-core").exists():
        return "the packages of web/, which `npm ci` installs"
    return ""


def is_old():
    """Whether the page is older than a source of it, or not there."""
    page = WEB / "dist" / "index.html"
    if not page.exists():
        return True
    sources = [WEB / "index.html", *(WEB / "src").rglob("*.*")]
    return any(source.stat().st_mtime > page.stat().st_mtime
               for source in sources)


def run(programs, scenario):
    """Runs the scenarios of a file; answers the exit code."""
    return subprocess.call(
        ["node", "--test", "--test-reporter=spec", f"test/{scenario}"],
        cwd=WEB, env={"ORRERY_PATIENCE": "3", **os.environ,
                      "ORRERY_BIN": str(programs)})


def main():
    programs, scenario = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    lacking = missing(programs)
    if lacking:
        print(f"skipped: the scenarios of the page need {lacking}")
        return SKIPPED
    if is_old():
        print("web/dist is older than web/src: scripts/build makes it anew")
        return 1
    if run(programs, scenario) == 0:
        return 0
    # A browser that shares two processors with other tests may miss a beat: a
    # fault of the page fails twice.
    print(f"{scenario} failed, and is run once more", flush=True)
    return run(programs, scenario)


if __name__ == "__main__":
    sys.exit(main())
