// Results of any size: what is sent and drawn is bounded by the screen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import {
  askStudio, boxOf, closeBrowser, eventually, openModel, openPage, runToEnd, startStudio,
} from "./studio.mjs";
import { wide } from "./wide_model.mjs";

// Sixty rows a period of the sine; the peak has one row, which nobody may lose.
const million = `model Million
  Real sine = sin(1e5*time);
  Real spike = noEvent(if time > 0.4999995 and time < 0.5000005 then 50 else 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1, Interval = 1e-6));
end Million;
`;

const jumps = `model Jumps
  discrete Real level(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 0.5 then
    level = 1000;
  elsewhen time >= 0.5000001 then
    level = -1000;
  elsewhen time >= 0.7 then
    level = 5;
  end when;
  annotation(experiment(StopTime = 1, Interval = 1e-5));
end Jumps;
`;

let studio;
before(async () => {
  studio = await startStudio({ files: {
    "Million.mo": million, "Jumps.mo": jumps, "Wide.mo": wide(1000),
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

async function open(file, name) {
  const opened = await openPage(studio);
  await openModel(opened.page, file, name);
  return opened;
}

/** The rows of the curves that are shown, as [x, y], by signal. */
async function curves(page) {
  const [file] = await Promise.all([page.waitForEvent("download"),
    page.getByRole("button", { name: "csv" }).click()]);
  const found = {};
  for (const line of (await readFile(await file.path(), "utf8")).trim().split("\n").slice(1)) {
    const [, name, x, y] = /^"(.*)",([^,]*),([^,]*)$/.exec(line);
    (found[name] ??= []).push([Number(x), Number(y)]);
  }
  return found;
}

/** Counts the bytes of curves that come from here on. */
function countBytes(page) {
  const sizes = [];
  page.on("response", async (answer) => {
    if (!answer.url().includes("/data?")) return;
    const body = await answer.body().catch(() => null);  // The page is closed.
    if (body) sizes.push(body.length);
  });
  return sizes;
}

async function showSignal(page, query, name) {
  const results = page.getByRole("button", { name: "Results" });
  if (await results.getAttribute("aria-current") !== "page") await results.click();
  await page.getByLabel("Search the signals").fill(query);
  await page.locator(".signal", { hasText: name }).first().click();
  await page.locator(".legend").getByText(name, { exact: true }).waitFor();
}

/** Zooms by the wheel into the middle of the plot; answers the curves there. */
async function zoomIn(page, signal, narrowest) {
  let found = await curves(page);
  const spanOf = (rows) => rows.at(-1)[0] - rows[0][0];
  while (spanOf(found[signal]) > narrowest) {
    const before = spanOf(found[signal]);
    await page.locator(".u-over").first().hover();
    await page.mouse.wheel(0, -3500);
    found = await eventually(() => curves(page),
      (now) => now[signal]?.length > 1 && spanOf(now[signal]) < before / 2);
  }
  return found;
}

test("scenario 26: both limits of each event are drawn after thinning", async () => {
  const { page, context } = await open("Jumps.mo", "Jumps");
  assert.equal(await runToEnd(page), "completed");
  await showSignal(page, "level", "level");
  const { width } = await boxOf(page.locator(".u-over").first());
  const { level } = await eventually(() => curves(page),
    (now) => now.level?.length < 10000 && now.level.some(([, y]) => y === 5));
  // Of 100,000 rows, those around an event have all values that it goes through.
  const near = (time) => [...new Set(level
    .filter(([x]) => Math.abs(x - time) <= 2 / width).map(([, y]) => y))];
  assert.deepEqual(near(0.5), [0, 1000, -1000]);
  assert.deepEqual(near(0.7), [-1000, 5]);
  // Between the events, 1e-7 s from each other, both limits of each stand apart.
  const close = (await zoomIn(page, "level", 2e-5)).level;
  const limits = (time) => close.filter(([x]) => Math.abs(x - time) < 1e-9).map(([, y]) => y);
  assert.deepEqual(limits(0.5), [0, 1000]);
  assert.deepEqual(limits(0.5000001), [1000, -1000]);
  await context.close();
});

test("scenario 27: of 1,000,001 rows a plot gets what its pixels show, at each zoom", async () => {
  const { page, context, errors } = await open("Million.mo", "Million");
  const sizes = countBytes(page);
  assert.equal(await runToEnd(page), "completed");
  for (const name of ["sine", "spike"]) await showSignal(page, name, name);
  const { width } = await boxOf(page.locator(".u-over").first());
  const most = 4 * (width + 100) + 20;
  const whole = await eventually(() => curves(page),
    (now) => now.sine?.length < 100000 && now.spike?.length < 100000);
  for (const rows of [whole.sine, whole.spike]) {
    assert.ok(rows.length <= most && rows.length > width, `${rows.length} rows on ${width} pixels`);
  }
  // The one row of the peak is there; the band of the sine is as high as it is.
  assert.equal(Math.max(...whole.spike.map(([, y]) => y)), 50);
  assert.ok(Math.max(...whole.sine.map(([, y]) => y)) > 0.999);
  assert.ok(Math.min(...whole.sine.map(([, y]) => y)) < -0.999);
  for (const span of [0.01, 5e-5]) {
    const part = (await zoomIn(page, "sine", span)).sine;
    assert.ok(part.length <= most && part.length > 10, `${part.length} rows of ${span} s`);
  }
  // Near enough, each row is drawn: a step of a microsecond.
  const rows = (await curves(page)).sine;
  const steps = rows.slice(1).map(([t], i) => t - rows[i][0]);
  assert.ok(Math.min(...steps) > 0.9e-6 && Math.max(...steps) < 1.1e-6,
    `steps from ${Math.min(...steps)} to ${Math.max(...steps)}`);
  // Three curves and their times, of 8 bytes each: no answer has more.
  assert.ok(sizes.length > 3);
  assert.ok(Math.max(...sizes) <= 4 * 8 * 2 * most + 1000, `${Math.max(...sizes)} bytes`);
  await page.getByRole("button", { name: "All of time" }).click();
  await eventually(() => curves(page), (now) => now.sine?.at(-1)[0] === 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test("scenario 28: among 100,000 signals one is found, opened and drawn", async () => {
  const { page, context } = await open("Wide.mo", "Wide");
  assert.equal(await runToEnd(page, 60000), "completed");
  await page.getByRole("button", { name: "Results" }).click();
  const [{ id }] = (await askStudio(page, "/api/experiments")).experiments;
  const { total } = await askStudio(page, `/api/experiments/${id}/0/signals?q=*&limit=1`);
  assert.ok(total >= 99000, `${total} signals`);
  const rows = page.getByRole("tree", { name: "Signals" }).locator(".signal");
  const field = page.getByLabel("Search the signals");
  await field.fill("needle");
  await eventually(() => rows.allInnerTexts(), (texts) =>
    texts.length === 2 && texts.every((text) => text.includes("needle")));
  await rows.first().click();
  // By a pattern, which one of a hundred thousand fits.
  await field.fill("part[777].level[5]");
  await rows.filter({ hasText: "part[777].level[5]" }).first().waitFor();
  await field.fill("*[777].level[5]");
  await eventually(() => rows.count(), (count) => count === 1);
  await rows.first().click();
  await page.locator(".legend").getByText("part[777].level[5]", { exact: true }).waitFor();
  const found = await eventually(() => curves(page), (now) => now["part[777].level[5]"]?.length > 2);
  assert.deepEqual(found["part[777].level[5]"].at(-1), [1, 3885]);
  // As a tree: components open one by one, and only what is in view is in the page.
  await field.fill("");
  await eventually(() => rows.count(), (count) => count === 3);
  await rows.filter({ hasText: /^part/ }).click();
  await eventually(() => rows.count(), (count) => count > 5);
  assert.ok(await rows.count() < 200, `${await rows.count()} rows in the page`);
  await context.close();
});
