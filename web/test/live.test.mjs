// Runs while they go on: held, changed, stopped.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import {
  askStudio, closeBrowser, eventually, openModel, openPage, startStudio,
} from "./studio.mjs";

// Steps of a fixed size, so that a run goes on for as long as a test needs it.
const endless = (name) => `model ${name}
  parameter Real k(min = 0) = 1;
  Real x(start = 1, fixed = true);
  Real level = k;
equation
  der(x) = -k*x + sin(1e3*time);
  annotation(experiment(StopTime = 1e5, Interval = 1));
end ${name};
`;

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum"], files: {
    "Endless.mo": endless("Endless"),
    "First.mo": "model First\n  Real first(start = 1, fixed = true);\nequation\n  der(first) = -first;\nend First;\n",
    "Second.mo": "model Second\n  Real second(start = 1, fixed = true);\nequation\n  der(second) = -second;\nend Second;\n",
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

function state(page) {
  return page.locator(".progress").getAttribute("data-state");
}

async function start(page) {
  await page.keyboard.press("F5");
  await eventually(() => state(page), (now) => now === "running", 10000);
  await page.locator(".legend").getByText("x", { exact: true }).waitFor();
}

async function stop(page) {
  await page.keyboard.press("Shift+F5");
  await eventually(() => state(page), (now) => now === "stopped", 10000);
}

const newestRun = async (page) => (await askStudio(page, "/api/runs")).items[0];

test("scenario 20: a paused run stands still until it goes on", async () => {
  const { page, context, errors } = await openPage(studio);
  await openModel(page, "Endless.mo", "Endless");
  await start(page);
  await page.getByRole("button", { name: "Pause" }).click();
  await eventually(() => state(page), (now) => now === "paused");
  // A run that goes on tells its time ten times a second: it stands still once
  // twelve looks in a row, at most twenty a second, have seen the same time.
  let held = 0;
  let looks = 0;
  await eventually(async () => {
    const { t } = await newestRun(page);
    looks = t === held ? looks + 1 : 0;
    held = t;
    return looks;
  }, (count) => count >= 12, 10000);
  assert.ok(held > 0);
  await page.getByRole("button", { name: "Go on" }).click();
  await eventually(async () => (await newestRun(page)).t, (t) => t > held);
  await stop(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test("scenario 20: a parameter is set while the run goes on", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Endless.mo", "Endless");
  await start(page);
  await page.getByRole("button", { name: "Set a parameter for this run only" }).click();
  await page.getByLabel("Name of a parameter").fill("k");
  await page.getByLabel("Value of k").fill("7");
  await page.getByRole("button", { name: "Set now" }).click();
  await page.locator(".chip", { hasText: /k=7 from t = \S+ s on/ }).waitFor();
  await page.getByLabel("Value of k").fill("3");
  await page.keyboard.press("Enter");
  await page.locator(".chip", { hasText: /k=7 from .*, 3 from t = \S+ s on/ }).waitFor();
  // A value that the model refuses is told; the run goes on with the one before.
  await page.getByLabel("Value of k").fill("-5");
  await page.keyboard.press("Enter");
  await page.locator(".notice", { hasText: /'k' is -5, .*below its minimum, 0/ }).waitFor();
  await page.getByLabel("Value of k").fill("much");
  await page.keyboard.press("Enter");
  await page.locator(".notice", { hasText: "cannot set k to 'much'" }).waitFor();
  assert.equal(await state(page), "running");
  await stop(page);
  // The curve of what equals k has the values that were set, in their order.
  const { experiment } = await newestRun(page);
  const answer = await page.request.get(
    `${studio.origin}/api/experiments/${experiment}/0/data?s=level&px=9999`,
    { headers: { "X-Orrery": "1" } });
  const bytes = await answer.body();
  const length = bytes.readUInt32LE(0);
  const { rows } = JSON.parse(bytes.subarray(4, 4 + length).toString());
  const values = Array.from({ length: rows }, (_, i) =>
    bytes.readDoubleLE(4 + length + 8 * (rows + i)));
  assert.deepEqual(values.filter((v, i) => v !== values[i - 1]), [1, 7, 3]);
  await context.close();
});

test("a run that has ended takes no new values: Enter starts another", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Set a parameter for this run only" }).click();
  await page.getByLabel("Name of a parameter").fill("length");
  await page.getByLabel("Value of length").fill("2");
  assert.equal(await page.getByRole("button", { name: "Set now" }).count(), 0);
  await page.getByLabel("Value of length").press("Enter");
  await page.locator(".chip", { hasText: /^length=2$/ }).waitFor();
  await eventually(() => state(page), (now) => now === "completed", 10000);
  await context.close();
});

test("Stop at the table of a sweep stops the sweep, not the run of the bar", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Endless.mo", "Endless");
  await page.getByRole("button", { name: "Experiments" }).click();
  await page.getByRole("button", { name: "New experiment" }).click();
  await page.getByLabel("Parameter", { exact: true }).fill("k");
  await page.getByLabel("Values of k").fill("1:1:3");
  await page.getByRole("button", { name: "Start 3 runs" }).click();
  const table = page.getByRole("region", { name: "Progress of the experiment" });
  await table.getByRole("button", { name: "Stop" }).waitFor();
  const { id: sweep } = await newestRun(page);
  // The next run waits for the sweep, and is the one that the bar shows.
  await page.keyboard.press("F5");
  await eventually(() => state(page), (now) => now === "waiting");
  await page.getByRole("tab", { name: /experiment/i }).first().click();
  await table.getByRole("button", { name: "Stop" }).click();
  await eventually(() => askStudio(page, `/api/runs/${sweep}`),
    (run) => run.state === "stopped", 15000);
  await eventually(() => state(page), (now) => now === "running", 15000);
  await stop(page);
  await context.close();
});

test("equations are never those of the model before", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "First.mo", "First");
  await page.getByRole("tab", { name: "Equations" }).click();
  await page.locator('.equation[title*="first"]').waitFor();
  // From here on, answers wait for the end of the test's look at the page.
  let let_go;
  const held = new Promise((resolve) => { let_go = resolve; });
  await page.route("**/api/lsp", async (route) => {
    if (route.request().postData()?.includes("orrery/equations")) await held;
    await route.continue();
  });
  await openModel(page, "Second.mo", "Second");
  await page.getByText("Sorting the equations").waitFor();
  assert.equal(await page.locator(".equation").count(), 0);
  let_go();
  await page.locator('.equation[title*="second"]').waitFor();
  await context.close();
});

test("a text that cannot be read keeps its equations, which say so", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "First.mo", "First");
  await page.getByRole("tab", { name: "Equations" }).click();
  await page.locator('.equation[title*="first"]').waitFor();
  await page.locator(".cm-line", { hasText: "der(first)" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" +");
  await page.getByText("These are the equations before the last change").waitFor();
  assert.equal(await page.locator('.equation[title*="first"]').count(), 1);
  await page.keyboard.press("Control+z");
  await page.getByText("These are the equations before the last change")
    .waitFor({ state: "detached" });
  await context.close();
});

test("a run of a table that cannot be opened says why", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Set a parameter for this run only" }).click();
  await page.getByLabel("Name of a parameter").fill("length");
  await page.getByLabel("Value of length").fill("{1,2}");
  await page.keyboard.press("F5");
  await eventually(() => state(page), (now) => now === "completed", 15000);
  await page.locator(".experiment-list button", { hasText: "sweep" }).first().click();
  await page.locator(".table-row").nth(1).waitFor();
  const path = join(studio.folder, "orrery.db");
  await rename(path, `${path}.away`);
  await page.locator(".table-row").nth(1).click();
  await page.locator(".notice", { hasText: /cannot open run 2: cannot find '.*orrery\.db'/ })
    .waitFor();
  await rename(`${path}.away`, path);
  await context.close();
});
