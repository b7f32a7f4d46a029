// The stream of news: cut for a while, or of a studio that was started anew.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import {
  askStudio, closeBrowser, eventually, openModel, openPage, runToEnd, startStudio,
} from "./studio.mjs";

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum"], files: {
    "Endless.mo": "model Endless\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x + sin(1e3*time);\n  annotation(experiment(StopTime = 1e5, Interval = 1));\nend Endless;\n",
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** A page whose stream of news the test can cut, and hold back. */
async function openCuttable() {
  const { page, context, errors } = await openPage(studio);
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (path, options = {}) => {
      if (path !== "/api/events") return fetch(path, options);
      if (window.isHeld) return Promise.reject(new TypeError("cut by the test"));
      const stop = new AbortController();
      options.signal?.addEventListener("abort", () => stop.abort());
      window.cutStream = () => {
        window.isHeld = true;
        stop.abort();
      };
      return fetch(path, { ...options, signal: stop.signal });
    };
  });
  await page.reload();
  await page.waitForSelector(".tree-row");
  await page.waitForFunction(() => window.cutStream);
  return { page, context, errors };
}

const lost = (page) => page.locator(".notice", { hasText: "The studio does not answer" });

/** The rows of the curves that are shown, as they are saved. */
async function savedRows(page) {
  const [file] = await Promise.all([page.waitForEvent("download"),
    page.getByRole("button", { name: "csv" }).click()]);
  const text = await readFile(await file.path(), "utf8");
  return text.trim().split("\n").slice(1).map((line) => line.split(",").slice(1).map(Number));
}

test("scenario 43: what came while the stream was cut is told after it", async () => {
  const { page, context } = await openCuttable();
  await openModel(page, "Endless.mo", "Endless");
  await page.keyboard.press("F5");
  await page.locator(".legend").getByText("x", { exact: true }).waitFor();
  await page.evaluate(() => window.cutStream());
  await lost(page).waitFor();
  const [run] = (await askStudio(page, "/api/runs")).items;
  const before = (await savedRows(page)).at(-1)[0];
  await studio.write("Made.mo", "model Made\nend Made;\n");
  // The run goes on for a while that nobody hears of.
  const { t } = await eventually(() => askStudio(page, `/api/runs/${run.id}`),
    (now) => now.t > before + 20, 20000);
  assert.equal(await page.getByText("Made.mo").count(), 0);
  await page.evaluate(() => { window.isHeld = false; });
  await lost(page).waitFor({ state: "detached" });
  await page.getByText("Made.mo").waitFor();
  const rows = await eventually(() => savedRows(page), (now) => now.at(-1)[0] > t);
  assert.ok(rows.some(([time]) => time > before && time < t),
    "no row of the time of the cut");
  for (let i = 1; i < rows.length; ++i) {
    assert.ok(rows[i][0] >= rows[i - 1][0], `${rows[i - 1][0]} before ${rows[i][0]}`);
  }
  // As even as those before the cut: a row a second, or thinned for all of the run.
  const steps = rows.slice(1).map(([time], i) => time - rows[i][0]);
  const widest = Math.max(...steps);
  const early = Math.max(...steps.filter((_, i) => rows[i + 1][0] <= before));
  assert.ok(widest <= 4 * Math.max(early, 1), `a gap of ${widest} s, ${early} s before the cut`);
  await page.keyboard.press("Shift+F5");
  await page.locator('.progress[data-state="stopped"]').waitFor();
  await context.close();
});

test("scenario 43: a page goes on with a studio that was started anew", async () => {
  const { page, context, errors } = await openCuttable();
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  assert.equal(await runToEnd(page), "completed");
  const rows = await savedRows(page);
  await openModel(page, "Circuit.mo", "Circuit");
  await page.locator(".cm-line").nth(1).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Mine.");
  await openModel(page, "Endless.mo", "Endless");
  const url = await studio.restart(async () => {
    await lost(page).waitFor();
    await studio.write("Endless.mo", (await studio.read("Endless.mo"))
      .replace("model Endless", "model Endless \"Theirs\""));
    await studio.write("Later.mo", "model Later\nend Later;\n");
  });
  // The new one does not know this browser, and the page says what to do.
  await page.getByText("was started anew and does not know this page").waitFor();
  const other = await context.newPage();
  await other.goto(url);
  await other.waitForSelector(".tree-row");
  await page.getByText("was started anew and does not know this page")
    .waitFor({ state: "detached" });
  // Files that came and changed meanwhile, and the text that was not saved.
  await page.getByText("Later.mo").waitFor();
  await page.locator(".cm-line", { hasText: 'model Endless "Theirs"' }).waitFor();
  await openModel(page, "Circuit.mo", "Circuit");
  await page.locator(".cm-line", { hasText: "Mine." }).waitFor();
  // Its language server reads the texts again.
  await page.locator(".cm-line", { hasText: "Parts.Ground" }).click();
  await page.keyboard.press("Home");
  await page.keyboard.type("3 ");
  await page.locator(".problems li", { hasText: "Circuit.mo:6" }).first().waitFor();
  await page.keyboard.press("Control+z");
  await page.locator(".problems li", { hasText: "Circuit.mo:6" }).first()
    .waitFor({ state: "detached" });
  // The curves of the run before are there; the next run has the same number.
  await page.getByRole("tab", { name: "Plots" }).click();
  assert.deepEqual(await savedRows(page), rows);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  assert.equal(await runToEnd(page), "completed");
  await eventually(() => page.locator(".chip").count(), (count) => count === 2);
  const both = await eventually(() => savedRows(page), (now) => now.length > rows.length);
  assert.deepEqual(both, [...rows, ...rows]);
  await context.close();
  assert.deepEqual(errors.filter((text) => !/ERR_|401/.test(text)), []);
});

test("scenario 43: a run that went on ended with its studio, which is told", async () => {
  const { page, context } = await openCuttable();
  await openModel(page, "Endless.mo", "Endless");
  await page.keyboard.press("F5");
  await page.locator(".legend").getByText("x", { exact: true }).waitFor();
  // Rows of a run are stored twice a second, not one by one.
  const [{ experiment }] = (await askStudio(page, "/api/runs")).items;
  await eventually(() => askStudio(page, `/api/experiments/${experiment}/0/signals?q=x`),
    ({ items }) => items?.some(({ last }) => typeof last === "number"));
  const url = await studio.restart();
  await page.getByText("was started anew and does not know this page").waitFor();
  const other = await context.newPage();
  await other.goto(url);
  await page.getByText("The run has ended with the studio that it was started in").waitFor();
  await page.locator(".run-bar").getByRole("button", { name: "Run", exact: true }).waitFor();
  // Rows that were stored until then are drawn.
  await page.locator(".legend").getByText("x", { exact: true }).waitFor();
  assert.ok((await savedRows(page)).length > 1);
  await context.close();
});
