// Experiments of many runs: failures, resumption, means, Pareto fronts, views.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  closeBrowser, eventually, openModel, openPage, startStudio,
} from "./studio.mjs";
import {
  api, cells, measure, newest, openForm, startButton, vary, waitForEnd,
} from "./experiment_forms.mjs";

const limit = `model Limit "Each run takes a while"
  parameter Real k = 1;
  parameter Real fixed_one = 5;
  Real x(start = 1, fixed = true);
equation
  assert(abs(k - 3) > 0.1, "k may not be three");
  der(x) = -k*x + cos(3000*time);
  annotation(experiment(StopTime = 2000));
end Limit;
`;

let studio;
before(async () => {
  studio = await startStudio({
    examples: ["mass_spring", "motor_tuning"], files: { "Limit.mo": limit },
  });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

test("scenario 29: a stopped sweep is resumed, and its failed run says why", async () => {
  const { page, context, errors } = await openPage(studio);
  await openForm(page, "Limit.mo", "Limit", "Sweep");
  await vary(page, [["k", "1:0.5:15"]]);
  await page.getByLabel("jobs").fill("1");
  await page.getByRole("button", { name: "Start 29 runs" }).click();
  await page.locator(".table-row .completed").nth(4).waitFor();
  // At once: rows that come in move the button while a slow browser looks at it.
  await page.locator(".live-table").getByRole("button", { name: "Stop" }).click({ force: true });
  await waitForEnd(page, "stopped");
  const id = await newest(page);
  const stopped = (await api(page, `/api/experiments/${id}`)).runs;
  assert.ok(stopped.completed >= 5 && stopped.completed < 28, JSON.stringify(stopped));
  await page.getByRole("button", { name: `Open experiment ${id}` }).click();
  const failure = page.locator(".experiment-pane .bar.bad", { hasText: "run failed" });
  assert.match(await failure.innerText(), /1 run failed\. Run 5: .*k may not be three/);
  await page.getByRole("button", { name: "Resume" }).click();
  await eventually(() => page.locator(".experiment-pane header").innerText(),
    (text) => text.includes("28 of 29 runs, 1 failed"), 20000);
  await eventually(() => page.locator(".picture-head").innerText(),
    (text) => text.includes("29 of 29 runs"));
  assert.match(await page.locator(".table-row").nth(4).innerText(),
    /failed: .*k may not be three/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a range in the run bar fills a table beside the text", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "mass_spring/mass_spring.mo", "MassSpring");
  await page.getByRole("button", { name: "Set a parameter for this run only" }).click();
  await page.getByLabel("Name of a parameter").fill("k");
  await page.getByLabel("Value of k").fill("1:0.5:5");
  await page.getByRole("button", { name: "Run 9" }).click();
  const rows = page.locator(".experiment-pane .table-row .completed");
  await eventually(() => page.locator(".experiment-pane .picture-head").innerText()
    .catch(() => ""), (text) => text.includes("9 of 9 runs"), 20000);
  await rows.first().waitFor();
  assert.ok(await page.locator(".cm-content").first().isVisible());
  await context.close();
});

test("scenario 30: draws go on until a mean is known", async () => {
  const { page, context } = await openPage(studio);
  await openForm(page, "mass_spring/mass_spring.mo", "MassSpring", "Monte Carlo");
  await vary(page, [["k"]]);
  // Proposed from the value in the text: 4.
  assert.equal(await page.getByLabel("Values of k").inputValue(), "normal(4,0.2)");
  await measure(page, ["peak=max(v)"]);
  await page.getByLabel("until the mean of").check();
  await page.getByLabel("Half width of its 95 % interval").fill("0.5%");
  await startButton(page).click();
  await waitForEnd(page);
  const found = await api(page, `/api/experiments/${await newest(page)}`);
  const peak = found.results.columns[1];
  assert.equal(peak.name, "peak");
  assert.ok(peak.half_width <= 0.005 * peak.mean, `${peak.half_width} of ${peak.mean}`);
  // A normal k of 4 and 0.2: the peak is near that of k = 4, 1.2581.
  assert.ok(Math.abs(peak.mean - 1.2581) < 0.01, String(peak.mean));
  const shown = await cells(page.locator(".finding table").first());
  assert.equal(shown[0][0], "peak m/s");
  assert.match(shown[0][1], /^1\.2\d+ ± 0\.00\d+$/);
  await context.close();
});

test("scenario 32: a point of a Pareto front opens as a run", async () => {
  const { page, context, errors } = await openPage(studio);
  await openForm(page, "motor_tuning/motor_tuning.mo", "MotorTuning", "Optimise");
  await vary(page, [["kp", "[0.01,1]"], ["ki", "[0.1,20]"]]);
  await measure(page, ["integral(error^2)", "max(abs(i))"]);
  await page.getByLabel("evaluations").fill("120");
  await startButton(page).click();
  await waitForEnd(page);
  const id = await newest(page);
  const { results } = await api(page, `/api/experiments/${id}`);
  const best = page.locator("circle[data-best=true]");
  await eventually(() => best.count(), (count) => count === results.front.length);
  const point = results.front[Math.floor(results.front.length / 2)];
  const title = `run ${point.run}:`;
  await best.filter({ hasText: title }).dispatchEvent("click");
  const short = (value) => String(Number(value.toPrecision(5)));
  await page.locator(".chip", {
    hasText: `kp=${short(point.values.kp)}, ki=${short(point.values.ki)}`,
  }).waitFor();
  await page.locator(".u-over").first().waitFor();
  // Table and curves are beside each other.
  assert.ok(await best.first().isVisible());
  assert.match(await page.locator(".terminal-line").innerText(),
    new RegExp(`--from=${id}\\.${point.run}\\b`));
  assert.deepEqual(errors, []);
  await context.close();
});

test("a point of a front is written into the model", async () => {
  const { page, context } = await openPage(studio);
  await page.getByRole("button", { name: "Experiments", exact: true }).click();
  await page.locator(".experiment-list button", { hasText: "optimization" }).first().click();
  const row = page.locator(".table-row").nth(1);
  await row.waitFor();
  const [, kp, ki] = await row.locator(".number").allInnerTexts();
  await row.click();
  await page.getByRole("button", { name: "Write into the model" }).click();
  const content = page.locator(".cm-content").first();
  const text = await eventually(() => content.innerText(),
    (now) => !now.includes("kp(unit = \"V.s/rad\") = 0.05 "));
  const number = (name) => Number(new RegExp(`${name}\\(unit = "[^"]*"\\) = ([^ ;]+)`)
    .exec(text)[1]);
  assert.ok(Math.abs(number("kp") / Number(kp) - 1) < 1e-4);
  assert.ok(Math.abs(number("ki") / Number(ki) - 1) < 1e-4);
  await context.close();
});

test("a view leaves out what does not differ, and is kept by its name", async () => {
  const { page, context } = await openPage(studio);
  await openForm(page, "Limit.mo", "Limit", "Sweep");
  await vary(page, [["k", "{4,5,6}"]]);
  await measure(page, ["x", "same=max(fixed_one)"]);
  await page.getByLabel("stop").last().fill("0.1");
  await page.getByRole("button", { name: "Start 3 runs" }).click();
  await waitForEnd(page);
  await page.getByRole("button", { name: /^Open experiment/ }).click();
  const pane = page.locator(".experiment-pane");
  const head = () => pane.locator(".table-head button").allInnerTexts();
  await eventually(head, (names) => names.join() === "k,x,same");
  await pane.locator("summary", { hasText: "view" }).click();
  await pane.getByLabel("only what differs between runs").check();
  assert.deepEqual(await head(), ["k", "x"]);
  await pane.getByLabel("Name of this view").fill("what matters");
  await pane.getByRole("button", { name: "Keep" }).click();
  await pane.getByRole("button", { name: "all runs and columns" }).click();
  assert.deepEqual(await head(), ["k", "x", "same"]);
  // The view belongs to the model, and the browser keeps it over a reload.
  await page.reload();
  await page.locator(".experiment-pane summary", { hasText: "view" }).click();
  await page.getByRole("button", { name: "what matters", exact: true }).click();
  await eventually(head, (names) => names.join() === "k,x");
  await context.close();
});
