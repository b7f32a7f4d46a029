// Calibration: measured data dropped on a model, estimates written into its text.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  closeBrowser, eventually, openModel, openPage, save, startStudio,
} from "./studio.mjs";
import {
  api, cells, choose, measure, newest, openForm, startButton, vary, waitForEnd,
} from "./experiment_forms.mjs";

const measured = fileURLToPath(
  new URL("../../examples/mass_spring/measured.csv", import.meta.url));
let studio;
/** The readings of the example in milliseconds and millimetres, beside a temperature. */
let csv;
before(async () => {
  studio = await startStudio({ examples: ["mass_spring", "theophylline"] });
  const rows = (await readFile(measured, "utf8")).trim().split("\n").slice(1)
    .map((line) => line.split(",").map(Number));
  csv = ["t [ms],position [mm],temperature [degC]",
    ...rows.map(([t, x]) => `${(1000 * t).toFixed(0)},${(1000 * x).toFixed(3)},20`), ""]
    .join("\n");
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** Drops a file on an element as a file manager does. */
async function drop(page, target, name, text) {
  const data = await page.evaluateHandle(([file, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], file, { type: "text/csv" }));
    return transfer;
  }, [name, text]);
  await target.dispatchEvent("drop", { dataTransfer: data });
}

function heights(page) {
  return page.locator(".best-so-far polyline").getAttribute("points")
    .then((points) => points.split(" ").map((p) => Number(p.split(",")[1])))
    .catch(() => []);
}

test("scenario 31: data dropped on a model are fitted, in units of their own", async () => {
  const { page, context, errors } = await openPage(studio);
  await openModel(page, "mass_spring/mass_spring.mo", "MassSpring");
  const before_drop = await studio.read("mass_spring/mass_spring.mo");
  await drop(page, page.locator(".cm-content").first(), "run 7.csv", csv);
  // The file is in the folder; the text was left alone.
  await eventually(() => page.getByLabel("File of measured data").inputValue(),
    (path) => path === "mass_spring/run 7.csv");
  assert.equal(await studio.read("mass_spring/run 7.csv"), csv);
  assert.equal(await studio.read("mass_spring/mass_spring.mo"), before_drop);
  const rows = page.locator(".match-row");
  await rows.nth(1).waitFor();
  assert.match(await rows.nth(0).innerText(), /position\s*mm\s*measures/);
  assert.match(await page.locator(".data-drop").innerText(), /101 rows over t, in ms/);
  assert.equal(await startButton(page).isDisabled(), true);
  await page.getByLabel("Signal of column position").fill("x");
  await eventually(() => rows.nth(0).innerText(), (text) => /\bm$/.test(text.trim()));
  await vary(page, [["k"], ["c"]]);
  assert.equal(await page.getByLabel("Values of k").inputValue(), "4[0.4,40]");
  await page.getByLabel("searches").fill("60");
  await page.getByLabel("jobs").fill("1");
  await startButton(page).click();
  // The residual falls while the search goes on.
  await eventually(() => heights(page), (list) => list.length >= 3, 15000);
  await waitForEnd(page);
  const fell = await heights(page);
  assert.ok(fell.every((y, i) => i === 0 || y >= fell[i - 1]), fell.join());
  // As the command finds in the example itself: 3.98077 and 0.38711.
  const table = await cells(page.locator(".finding table").first());
  assert.deepEqual(table.map((row) => row.slice(0, 3)), [
    ["k N/m", "3.9808", "3.9457 to 4.0158"], ["c N.s/m", "0.38711", "0.36985 to 0.40437"]]);
  assert.match(await page.locator(".terminal-line code").getAttribute("title"),
    /--match=x=position/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("estimates are written into the model by one change of its text", async () => {
  const { page, context } = await openPage(studio);
  const file = "mass_spring/mass_spring.mo";
  const old = await studio.read(file);
  await page.getByRole("button", { name: "Experiments", exact: true }).click();
  await page.locator(".experiment-list button", { hasText: "calibration" }).first().click();
  await page.getByRole("button", { name: "Write into the model" }).click();
  const content = page.locator(".cm-content").first();
  await eventually(() => content.innerText(), (text) => text.includes("3.98076"));
  await content.click();
  await save(page);
  const written = old.replace("= 0.4 \"Friction\"", "= 0.3871104 \"Friction\"")
    .replace("= 4 \"Stiffness", "= 3.980766 \"Stiffness");
  assert.equal(await studio.read(file), written);
  await page.keyboard.press("Control+z");
  await save(page);
  assert.equal(await studio.read(file), old);
  await context.close();
});

test("columns that are called as signals are matched without being asked", async () => {
  const { page, context } = await openPage(studio);
  await openForm(page, "theophylline/theophylline.mo", "Theophylline", "Calibrate");
  await page.getByLabel("File of measured data").fill("theophylline/subject_1.csv");
  await eventually(() => page.getByLabel("Signal of column concentration").inputValue(),
    (signal) => signal === "concentration");
  await vary(page, [["ka", "1 log[0.1,10]"], ["ke", "0.1 log[0.01,1]"],
    ["clearance", "0.05 log[0.005,1]"]]);
  await startButton(page).click();
  await waitForEnd(page);
  // Of R's nls(conc ~ SSfol(Dose, Time, lKe, lKa, lCl)), as the example says.
  const table = await cells(page.locator(".finding table").first());
  assert.deepEqual(table.map((row) => [row[0].split(" ")[0], Number(row[1]).toPrecision(4)]),
    [["ka", "1.777"], ["ke", "0.05396"], ["clearance", "0.01992"]]);
  await context.close();
});

test("an optimum is written into the model", async () => {
  const { page, context } = await openPage(studio);
  await studio.write("Parabola.mo", "model Parabola\n  parameter Real a = 1;\n"
    + "  Real y = (a - 2.5)^2 + 1;\n  annotation(experiment(StopTime = 1));\nend Parabola;\n");
  await openForm(page, "Parabola.mo", "Parabola", "Optimise");
  await vary(page, [["a", "[0,10]"]]);
  await measure(page, ["final(y)"]);
  await choose(page, "method", "cobyla");
  await startButton(page).click();
  await waitForEnd(page);
  await page.getByRole("button", { name: "Write into the model" }).click();
  const content = page.locator(".cm-content").first();
  const text = await eventually(() => content.innerText(), (now) => !now.includes("a = 1;"));
  const found = (await api(page, `/api/experiments/${await newest(page)}`)).results;
  assert.ok(Math.abs(found.values[0].value - 2.5) < 1e-3);
  assert.ok(text.includes(`a = ${Number(found.values[0].value.toPrecision(7))};`), text);
  await context.close();
});
