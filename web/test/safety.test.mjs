// What must never be lost, and who must never get in.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import http from "node:http";
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  closeBrowser, eventually, openFile, openPage, part, save, startStudio, waitForDiagram,
} from "./studio.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

let studio;
before(async () => {
  studio = await startStudio({ files: {
    "Script.mo": "model Script\n  annotation(Documentation(info = \"<html><p>Hello <b>there</b></p><script>parent.document.title = 'taken'</script></html>\"));\nend Script;\n",
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

test("scenario 39: an unchanged tab reads a changed file again", async () => {
  const { page, context } = await openPage(studio);
  const original = await studio.read("Circuit.mo");
  await openFile(page, "Circuit.mo");
  await studio.write("Circuit.mo", original.replace("2 s", "3 s"));
  await page.locator(".cm-line", { hasText: "is R*C = 3 s" }).waitFor();
  await context.close();
  await studio.write("Circuit.mo", original);
});

test("scenario 39: a changed tab is never overwritten, nor does it overwrite", async () => {
  const { page, context } = await openPage(studio);
  const original = await studio.read("Circuit.mo");
  await openFile(page, "Circuit.mo");
  await page.locator(".cm-line").nth(1).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Mine.");
  const theirs = original.replace("2 s", "3 s");
  await studio.write("Circuit.mo", theirs);
  await page.getByRole("alert").filter({ hasText: "changed on disk" }).waitFor();
  await page.keyboard.press("Control+s");
  await page.locator(".notice", { hasText: "Circuit.mo was not saved" }).waitFor();
  assert.equal(await studio.read("Circuit.mo"), theirs);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.waitForSelector(".cm-mergeView");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await save(page);
  assert.match(await studio.read("Circuit.mo"), /2 s\. Mine\./);
  await context.close();
  await studio.write("Circuit.mo", original);
});

test("scenario 40: what was typed before the page ended is offered again", async () => {
  const first = await openPage(studio);
  await openFile(first.page, "Circuit.mo");
  await first.page.locator(".cm-line").nth(1).click();
  await first.page.keyboard.press("End");
  const kept = first.page.waitForResponse((answer) => answer.url().includes("/api/draft")
    && answer.request().method() === "PUT");
  await first.page.keyboard.type(" Unsaved.");
  assert.equal((await kept).status(), 204);
  // Another page of the same browser: the cookie is there, the token is used up.
  const page = await first.context.newPage();
  await first.page.close({ runBeforeUnload: false });
  await page.goto(studio.origin);
  await page.waitForSelector(".tree-row");
  await openFile(page, "Circuit.mo");
  await page.getByRole("button", { name: "Take it" }).click();
  await page.locator(".cm-line", { hasText: "Unsaved." }).waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+z");
  await save(page).catch(() => undefined);
  await first.context.close();
});

/** A request with headers that no browser lets a page set. */
function request(path, headers, method = "GET") {
  const { hostname, port } = new URL(studio.origin);
  return new Promise((resolve, reject) => {
    const sent = http.request({ hostname, port, path, method, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("scenario 44: strangers are refused", async () => {
  const { context } = await openPage(studio);
  await symlink("/etc", join(studio.folder, "out"));
  const [cookie] = await context.cookies();
  const { host } = new URL(studio.origin);
  const known = { Host: host, Cookie: `${cookie.name}=${cookie.value}`, "X-Orrery": "1" };
  assert.equal(await request("/api/session", known), 200);
  assert.notEqual(await request("/api/session", { ...known, Cookie: "" }), 200);
  assert.notEqual(await request("/api/session", { ...known, Host: "evil.example" }), 200);
  assert.notEqual(await request("/api/session",
    { ...known, Origin: "http://evil.example" }), 200);
  assert.notEqual(await request("/api/file?path=Circuit.mo",
    { ...known, "X-Orrery": "" }, "DELETE"), 200);
  for (const path of ["../secret", "%2e%2e/secret", "/etc/passwd", "a/../../secret",
    "out/passwd"]) {
    assert.notEqual(await request(`/api/file?path=${path}`, known), 200, path);
  }
  await context.close();
});

test("scenario 45: documentation of a library does nothing but be read", async () => {
  const { page, context } = await openPage(studio);
  await openFile(page, "Script.mo");
  await page.getByRole("button", { name: "Documentation" }).first().click();
  const frame = page.frameLocator(".documentation iframe");
  await frame.getByText("Hello").waitFor();
  assert.equal(await page.locator(".documentation iframe").getAttribute("sandbox"), "");
  assert.equal(await page.title(), "Orrery");
  await context.close();
});

test("scenario 42: nine tabs of one browser share one stream", async () => {
  const { page, context } = await openPage(studio);
  const streams = [];
  context.on("request", (sent) => {
    if (sent.url().endsWith("/api/events")) streams.push(sent);
  });
  const tabs = [];
  for (let i = 0; i < 8; ++i) {
    const tab = await context.newPage();
    await tab.goto(studio.origin);
    await tab.waitForSelector(".tree-row");
    tabs.push(tab);
  }
  assert.equal(streams.length, 0);
  await page.close();
  await eventually(() => streams.length, (count) => count === 1);
  // News reach all that are left.
  await studio.write("New.mo", "model New\nend New;\n");
  for (const tab of tabs) await tab.getByText("New.mo").waitFor();
  await context.close();
});

test("scenario 46: axe finds nothing serious on the main screens", async () => {
  const source = await readFile(axe, "utf8");
  for (const dark of [false, true]) {
    const { page, context } = await openPage(studio, { dark });
    await openFile(page, "Circuit.mo");
    await waitForDiagram(page);
    await part(page, "R1").click();
    await page.waitForSelector(".parameter");
    await page.evaluate(source);
    const found = await page.evaluate(async () => {
      const { violations } = await window.axe.run();
      return violations.filter((v) => ["serious", "critical"].includes(v.impact))
        .map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`);
    });
    assert.deepEqual(found, []);
    await context.close();
  }
});

test("scenario 48: nothing of the window is cut, from 1280x720 to 3840x2160", async () => {
  for (const [width, height] of [[1280, 720], [1920, 1080], [3840, 2160]]) {
    const { page, context } = await openPage(studio, { width, height });
    await openFile(page, "Circuit.mo");
    await waitForDiagram(page);
    const cut = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      const wide = scrollWidth > window.innerWidth || scrollHeight > window.innerHeight;
      const lost = [...document.querySelectorAll(".run-bar button, .activity, .drawer-tabs button")]
        .filter((e) => {
          const box = e.getBoundingClientRect();
          return box.right > window.innerWidth || box.bottom > window.innerHeight
            || e.scrollWidth > e.clientWidth + 1;
        }).map((e) => e.outerHTML.slice(0, 120));
      return { wide, lost };
    });
    assert.deepEqual(cut, { wide: false, lost: [] }, `${width}x${height}`);
    await context.close();
  }
});
