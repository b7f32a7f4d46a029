// Runs, plots and experiments.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  boxOf, closeBrowser, eventually, openModel, openPage, runToEnd, startStudio,
} from "./studio.mjs";

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum", "bouncing_ball"], files: {
    "Endless.mo": "model Endless\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x + sin(1e3*time);\n  annotation(experiment(StopTime = 1e7));\nend Endless;\n",
    "Broken.mo": "model Broken\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = sqrt(0.5 - time);\nend Broken;\n",
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

function state(page) {
  return page.locator(".progress").getAttribute("data-state");
}

test("scenario 1: a first run takes three actions", async () => {
  const { page, context, errors } = await openPage(studio);
  const tree = page.getByRole("tree", { name: "Files and classes" });
  await tree.getByText("pendulum", { exact: true }).click();
  await tree.getByText("pendulum.mo").click();
  await page.locator(".run-model", { hasText: /^Pendulum$/ }).waitFor();
  assert.equal(await runToEnd(page), "completed");
  await page.waitForSelector(".u-over");
  await page.locator(".legend", { hasText: "angle" }).waitFor();
  await page.locator(".terminal-line", { hasText: "orrery run" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a page that is opened after a run says to which time it came", async () => {
  const { page, context } = await openPage(studio);
  await eventually(() => page.locator(".progress").innerText(),
    (text) => /^completed\s+t = 10 s$/.test(text));
  await context.close();
});

test("scenario 20: a stopped run keeps what it had", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Endless.mo", "Endless");
  await page.keyboard.press("F5");
  await eventually(() => state(page), (now) => now === "running");
  await page.waitForSelector(".u-over");
  await page.getByRole("button", { name: "Pause" }).click();
  await eventually(() => state(page), (now) => now === "paused");
  await page.getByRole("button", { name: "Go on" }).click();
  await eventually(() => state(page), (now) => now === "running");
  await page.keyboard.press("Shift+F5");
  await eventually(() => state(page), (now) => now === "stopped");
  await page.locator(".legend", { hasText: "x" }).waitFor();
  await context.close();
});

test("scenario 24: of two runs the legend says only what differs", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Set a parameter for this run only" }).click();
  await page.getByLabel("Name of a parameter").fill("length");
  for (const length of ["1", "2"]) {
    await page.getByLabel("Value of length").fill(length);
    await runToEnd(page);
  }
  await eventually(() => page.locator(".chip").allInnerTexts(),
    (chips) => chips.map((chip) => chip.trim()).join() === "length=1,length=2");
  await context.close();
});

test("scenario 25: one signal over another, cursors and a linked zoom", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await runToEnd(page);
  await page.getByRole("button", { name: "Results" }).click();
  const plot = page.locator(".u-over").first();
  await plot.click({ position: { x: 60, y: 50 } });
  await plot.click({ position: { x: 120, y: 50 }, modifiers: ["Shift"] });
  await page.locator(".legend thead", { hasText: /A .*B .*B − A/s }).first().waitFor();
  await page.getByRole("button", { name: "Add a plot" }).click();
  await page.locator(".signal", { hasText: "rate" }).first().click();
  await page.waitForFunction(() => document.querySelectorAll(".u-over").length === 2);
  await plot.hover();
  await page.mouse.wheel(0, -400);
  await page.getByRole("button", { name: "All of time" }).waitFor();
  const target = page.locator(".tile-plot").first();
  const box = await boxOf(target);
  await page.locator(".signal", { hasText: "angle" }).first()
    .dragTo(target, { targetPosition: { x: box.width / 2, y: box.height - 10 } });
  await page.waitForSelector("canvas.phase");
  await page.locator(".tile").nth(1).getByRole("button", { name: "log" }).click();
  await page.locator(".tile").nth(1)
    .getByRole("button", { name: "log", pressed: true }).waitFor();
  await context.close();
});

test("scenario 7 of the stories: a failed run says what, when and where", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Broken.mo", "Broken");
  assert.equal(await runToEnd(page), "failed");
  await page.getByRole("button", { name: "why?" }).click();
  await eventually(() => page.locator(".problems").innerText(),
    (text) => /t = 0\.5/.test(text));
  await context.close();
});

test("scenario 29: a sweep fills its table, and a run of it opens", async () => {
  const { page, context, errors } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Experiments" }).click();
  await page.getByRole("button", { name: "New experiment" }).click();
  await page.getByLabel("Parameter", { exact: true }).fill("length");
  await page.getByLabel("Values of length").fill("0.5:0.25:3");
  await page.getByRole("button", { name: "Another measure" }).click();
  await page.getByLabel("Measure", { exact: true }).fill("peak=max(rate)");
  await page.getByRole("button", { name: "Start 11 runs" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".table-row").length === 11);
  assert.deepEqual(errors, []);
  await page.locator(".table-row").nth(2).click();
  await page.locator(".chip", { hasText: "length=1" }).waitFor();
  await context.close();
});

test("scenario 33: a brush over an axis filters the table", async () => {
  const { page, context } = await openPage(studio);
  await page.getByRole("button", { name: "Experiments" }).click();
  await page.locator(".experiment-list button", { hasText: "sweep" }).first().click();
  await page.waitForSelector(".parallel .axis");
  const box = await boxOf(page.locator(".parallel"));
  const axis = await boxOf(page.locator(".parallel .axis line").first());
  // The upper half of the first axis: lengths from 1.75 to 3.
  await page.mouse.move(axis.x, axis.y - 2);
  await page.mouse.down();
  await page.mouse.move(axis.x, axis.y + axis.height / 2, { steps: 5 });
  await page.mouse.up();
  assert.ok(box.height > 100);
  await eventually(() => page.locator(".table-row").count(), (count) => count === 6);
  await context.close();
});

test("scenario 34: two experiments are compared by what differs", async () => {
  const { page, context } = await openPage(studio);
  await page.getByRole("button", { name: "Experiments" }).click();
  await page.waitForSelector(".experiment-list li");
  const marks = page.locator(".experiment-list input[type=checkbox]");
  await marks.nth(0).check();
  await marks.nth(1).check();
  await page.getByRole("button", { name: "Compare the marked experiments" }).click();
  await page.waitForSelector(".compare-pane tr[data-differs=true]");
  await context.close();
});

test("events of a run set the cursor of all plots", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "bouncing_ball/bouncing_ball.mo", "BouncingBall");
  await runToEnd(page);
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator(".event-row").first().click();
  await page.locator(".legend thead", { hasText: "A " }).waitFor();
  await context.close();
});
