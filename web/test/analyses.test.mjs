// Analyses by forms: where a model stands still, its modes, its frequency responses,
// and what its results depend on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, eventually, openPage, startStudio } from "./studio.mjs";
import {
  cells, choose, measure, openForm, startButton, vary, waitForEnd,
} from "./experiment_forms.mjs";

let studio;
before(async () => {
  studio = await startStudio({
    examples: ["mass_spring", "cruise_control", "dc_motor", "ishigami"],
  });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

function tableOf(page, caption) {
  return page.locator(".finding table", {
    has: page.locator("caption", { hasText: caption }),
  });
}

test("the form of a steady state fixes a speed, and finds the force for it", async () => {
  const { page, context, errors } = await openPage(studio);
  await openForm(page, "cruise_control/car.mo", "Car", "Steady state");
  for (const [i, [name, value]] of [["v", "25"], ["slope", "0"]].entries()) {
    await page.getByRole("button", { name: "Fix a quantity" }).click();
    await page.getByRole("combobox", { name: "Fixed quantity" }).nth(i).fill(name);
    await page.getByLabel(`Value of ${name}`).fill(value);
  }
  await startButton(page).click();
  await waitForEnd(page);
  const rows = await cells(tableOf(page, "Steady state"));
  // Rolling resistance and drag: 200 N + 0.4 * 25^2 N.
  assert.deepEqual(rows.find((row) => row[0] === "force"), ["force", "450", "N"]);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the eigenvalues of a mass on a spring are those of its formula", async () => {
  const { page, context } = await openPage(studio);
  await openForm(page, "mass_spring/mass_spring.mo", "MassSpring", "Eigenvalues");
  await startButton(page).click();
  await waitForEnd(page);
  const rows = await cells(tableOf(page, "Modes: stable"));
  // -c/2 and the root of k - c^2/4 for c = 0.4, k = 4; damping c/4.
  assert.deepEqual(rows, [["-0.2 + 1.99 i", "2", "0.1", "5"],
    ["-0.2 − 1.99 i", "2", "0.1", "5"]]);
  assert.equal(await page.locator(".small-plot circle").count(), 2);
  await context.close();
});

test("a Bode plot has the gain of the linear car at low frequencies", async () => {
  const { page, context } = await openPage(studio);
  await openForm(page, "cruise_control/car.mo", "Car", "Bode");
  await choose(page, "at", "steady");
  await page.getByLabel("inputs", { exact: true }).fill("force");
  for (const [i, [name, value]] of [["v", "20"], ["slope", "0"]].entries()) {
    await page.getByRole("button", { name: "Fix a quantity" }).click();
    await page.getByRole("combobox", { name: "Fixed quantity" }).nth(i).fill(name);
    await page.getByLabel(`Value of ${name}`).fill(value);
  }
  await startButton(page).click();
  await waitForEnd(page);
  await page.getByRole("img", { name: "Magnitude over frequency" }).waitFor();
  await page.getByRole("img", { name: "Phase over frequency" }).waitFor();
  // 1/(2 * drag * v) = 1/16 at rest: -24.08 dB; the pole is -16/1400.
  const modes = await cells(tableOf(page, "Modes"));
  assert.equal(modes[0][0], "-0.011429");
  assert.match(await page.locator(".terminal-line").innerText(), /orrery frequency .*--inputs=force/);
  await context.close();
});

test("a model without inputs says what a Bode plot needs", async () => {
  const { page, context } = await openPage(studio);
  await openForm(page, "dc_motor/dc_motor.mo", "DcMotor", "Bode");
  await page.locator(".design-pane .bar", { hasText: "DcMotor has no inputs" }).waitFor();
  await context.close();
});

test("Morris ranks the factors of a function, and Sobol' shares its variance", async () => {
  const { page, context } = await openPage(studio);
  await openForm(page, "ishigami/ishigami.mo", "Ishigami", "Sensitivity");
  const range = "[-3.141592653589793,3.141592653589793]";
  await vary(page, [["x1", range], ["x2", range], ["x3", range]]);
  await measure(page, ["y"]);
  await page.getByLabel("samples").fill("40");
  await startButton(page).click();
  await waitForEnd(page);
  const morris = await cells(tableOf(page, "What y depends on"));
  assert.deepEqual(morris.map((row) => row[0]).sort(), ["x1", "x2", "x3"]);
  await choose(page, "method", "sobol");
  await page.getByLabel("samples").fill("4096");
  await startButton(page).click();
  const rows = await eventually(() => cells(tableOf(page, "What y depends on")),
    (list) => list.length === 3 && /\(/.test(list[0][1]), 20000);
  // The exact indices: 0.314, 0.442, 0 by themselves; 0.558, 0.442, 0.244 with others.
  const exact = [[0.3139, 0.5576], [0.4424, 0.4424], [0, 0.2437]];
  rows.forEach((row, i) => {
    assert.ok(Math.abs(parseFloat(row[1]) - exact[i][0]) < 0.05, row.join(" "));
    assert.ok(Math.abs(parseFloat(row[3]) - exact[i][1]) < 0.05, row.join(" "));
  });
  await context.close();
});
