// Measures what users wait for: node test/numbers.mjs
// Prints a table; what is a count is asserted, times are told with their bounds.
import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { gzipSync } from "node:zlib";
import {
  closeBrowser, eventually, openFile, openPage, part, startStudio, waitForDiagram,
} from "./studio.mjs";

const rows = [];
function tell(what, value, unit, bound) {
  rows.push({ what, value: `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`, bound });
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

let start = performance.now();
const studio = await startStudio({ examples: ["pendulum"] });
tell("start of orrery-studio until its port is open", performance.now() - start, "ms", "150 ms");

start = performance.now();
const { page, context } = await openPage(studio);
tell("page until the library is listed", performance.now() - start, "ms", "1000 ms");
const assets = await page.evaluate(() => performance.getEntriesByType("resource")
  .map((entry) => entry.name).filter((name) => name.includes("/assets/")));
let loaded = 0;
for (const asset of assets) {
  const answer = await context.request.get(asset);
  // A build that is served by --page is not packed; the one built in is.
  loaded += gzipSync(await answer.body()).length;
}
tell("first load, packed", loaded / 1000, "kB", "400 kB");
assert.ok(loaded < 400_000, `${loaded} bytes`);

start = performance.now();
await openFile(page, "Circuit.mo");
await waitForDiagram(page);
tell("open a model until its diagram is drawn", performance.now() - start, "ms", "1000 ms cold");

const moves = [];
await part(page, "R1").click();
for (let i = 0; i < 40; ++i) {
  const before = await page.locator('[data-wire="source.p|R1.p"] .wire-line').getAttribute("d");
  const began = performance.now();
  await page.keyboard.press(i % 2 ? "ArrowLeft" : "ArrowRight");
  await page.waitForFunction((d) => document.querySelector(
    '[data-wire="source.p|R1.p"] .wire-line').getAttribute("d") !== d, before);
  moves.push(performance.now() - began);
}
tell("key until text and diagram agree, p95", percentile(moves, 0.95), "ms", "50 ms");

await openFile(page, "pendulum/pendulum.mo");
await page.locator(".run-model", { hasText: /^Pendulum$/ }).waitFor();
start = performance.now();
await page.keyboard.press("F5");
await page.waitForSelector(".u-over");
tell("F5 until the first curve of the pendulum", performance.now() - start, "ms", "300 ms");
await eventually(() => page.locator(".progress").getAttribute("data-state"),
  (state) => state === "completed", 20000);

const memory = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
tell("memory of the page", memory / 1e6, "MB", "300 MB");

await context.close();
await closeBrowser();
await studio.stop();
console.table(rows);
