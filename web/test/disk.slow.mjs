// A disk that is full, a folder that cannot be written: told, and nothing is lost.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import {
  askStudio, closeBrowser, eventually, openFile, openModel, openPage, runToEnd,
  startStudio,
} from "./studio.mjs";

after(closeBrowser);

// The folder is mounted for the studio alone, which is seen by /proc/PID/root.
const unshare = process.getuid() === 0 ? ["unshare", "-m"] : ["unshare", "-rm"];
const skip = spawnSync(unshare[0], [...unshare.slice(1), "mount", "-t", "tmpfs", "tmpfs", "/tmp"])
  .status !== 0 && "mounting is not allowed here";

const within = (script) => (folder) => [...unshare, "sh", "-ec", `${script}\nexec "$@"`, folder];
const small = within(`cp -a "$0" "$0.kept"
mount -t tmpfs -o size=2m tmpfs "$0"
cp -a "$0.kept/." "$0"`);
const readOnly = within(`mount --bind "$0" "$0"
mount -o remount,bind,ro "$0"`);

const inside = (studio, name) => `/proc/${studio.pid()}/root${studio.folder}/${name}`;

/** Leaves no room on the disk of a small folder. */
function fill(studio) {
  return assert.rejects(writeFile(inside(studio, "filler"), Buffer.alloc(4e6)), /ENOSPC/);
}

const notSaved = /the experiment is not saved: cannot write 'orrery\.db'/;

async function openCircuit(studio) {
  const opened = await openPage(studio);
  await openModel(opened.page, "Circuit.mo", "Circuit");
  return opened;
}

async function typeMine(page) {
  await page.locator(".cm-line").nth(1).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Mine.");
}

test("scenario 41: a text that a full disk cannot take stays in the page, and as it was on disk",
  { skip }, async (t) => {
    const studio = await startStudio({ before: small });
    t.after(studio.stop);
    const { page, context } = await openCircuit(studio);
    const original = await readFile(inside(studio, "Circuit.mo"), "utf8");
    await typeMine(page);
    await fill(studio);
    await page.keyboard.press("Control+s");
    await page.locator(".notice", {
      hasText: /cannot save Circuit\.mo: .*the disk is full/ }).waitFor();
    assert.equal(await readFile(inside(studio, "Circuit.mo"), "utf8"), original);
    assert.equal(await page.locator(".tab .dot").count(), 1);
    // A run would run what is on disk: it is not started with another text.
    await page.keyboard.press("F5");
    assert.equal(await page.locator(".progress").count(), 0);
    await rm(inside(studio, "filler"));
    await page.keyboard.press("Control+s");
    await page.locator(".tab .dot").waitFor({ state: "detached" });
    assert.equal(await readFile(inside(studio, "Circuit.mo"), "utf8"),
      original.replace("2 s.", "2 s. Mine."));
    await context.close();
  });

test("scenario 41: a run that a full disk cannot store says so; the one before stays",
  { skip }, async (t) => {
    const studio = await startStudio({ before: small });
    t.after(studio.stop);
    const { page, context } = await openCircuit(studio);
    assert.equal(await runToEnd(page), "completed");
    const { experiments } = await askStudio(page, "/api/experiments");
    assert.equal(experiments.length, 1);
    await fill(studio);
    assert.equal(await runToEnd(page), "completed");
    await page.locator(".notice", { hasText: notSaved }).waitFor();
    await rm(inside(studio, "filler"));
    // Both are drawn: the stored one, and the one that lives in the page alone.
    await eventually(() => page.locator(".chip").count(), (count) => count === 2);
    assert.equal(await runToEnd(page), "completed");
    const now = await askStudio(page, "/api/experiments");
    assert.equal(now.experiments.length, 2);
    assert.equal(now.experiments[1].id, experiments[0].id);
    await context.close();
  });

test("scenario 41: a folder that is read only is told, and what was typed is offered again",
  { skip }, async (t) => {
    const studio = await startStudio({ before: readOnly });
    t.after(studio.stop);
    const { page, context } = await openCircuit(studio);
    await typeMine(page);
    const kept = page.waitForResponse((answer) => answer.url().includes("/api/draft")
      && answer.request().method() === "PUT");
    await page.keyboard.press("Control+s");
    await page.locator(".notice", {
      hasText: /cannot save Circuit\.mo: .*Read-only file system/ }).waitFor();
    await page.locator(".cm-line").nth(1).click();
    await page.keyboard.press("End");
    await page.keyboard.type("!");
    assert.equal((await kept).status(), 204);
    assert.doesNotMatch(await studio.read("Circuit.mo"), /Mine/);
    const again = await context.newPage();
    await page.close({ runBeforeUnload: false });
    await again.goto(studio.origin);
    await again.waitForSelector(".tree-row");
    await openFile(again, "Circuit.mo");
    await again.getByRole("button", { name: "Take it" }).click();
    await again.locator(".cm-line", { hasText: "2 s. Mine.!" }).waitFor();
    await again.keyboard.press("Escape");
    await context.close();
  });

test("scenario 41: a run in a folder that is read only says why there are no results",
  { skip }, async (t) => {
    const studio = await startStudio({ before: readOnly });
    t.after(studio.stop);
    const { page, context } = await openCircuit(studio);
    assert.equal(await runToEnd(page), "completed");
    await page.locator(".notice", { hasText: notSaved }).waitFor();
    await page.locator(".u-over").first().waitFor();
    await context.close();
  });
