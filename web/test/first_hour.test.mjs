// What a new user of the page meets: a first model, runs of several models, a first
// sweep, two runs compared.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  boxOf, closeBrowser, dragBetween, eventually, openModel, openPage, part, port, runToEnd,
  save, startStudio,
} from "./studio.mjs";
import { newest } from "./experiment_forms.mjs";

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum", "bouncing_ball"], files: {
    "Taken.mo": "model Taken\nend Taken;\n",
    "day.json": '{"stop": "24 h", "activities": [{"id": "a", "type": "Drive", "start": "7 h"}]}\n',
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

const nameField = (page) => page.getByLabel("Name of the new model");

test("a new model is named, built by the mouse, and saved", async () => {
  const { page, context, errors } = await openPage(studio);
  await page.locator(".welcome").getByRole("button", { name: "New model" }).click();
  await nameField(page).fill("Mine");
  await page.getByRole("button", { name: "Make it" }).click();
  await page.locator(".sheet-hint").waitFor();
  assert.equal(await studio.read("Mine.mo"), "model Mine\nend Mine;\n");
  await page.getByLabel("Search the libraries").fill("linear resistor");
  const sheet = page.locator(".sheet .react-flow__pane");
  const resistor = page.locator('.hit[title^="Parts.Resistor"]');
  await resistor.dragTo(sheet, { targetPosition: { x: 80, y: 100 } });
  await part(page, "resistor").waitFor();
  await resistor.dragTo(sheet, { targetPosition: { x: 220, y: 160 } });
  await part(page, "resistor1").waitFor();
  await dragBetween(page, port(page, "resistor", "n"), port(page, "resistor1", "p"));
  await page.waitForSelector('[data-wire="resistor.n|resistor1.p"]');
  await save(page);
  assert.match(await studio.read("Mine.mo"),
    /^model Mine\n {2}Parts\.Resistor resistor .*\n {2}Parts\.Resistor resistor1 .*\nequation\n {2}connect\(resistor\.n, resistor1\.p\).*\nend Mine;\n$/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a name that no new model can have is refused with the reason", async () => {
  const { page, context } = await openPage(studio);
  await page.keyboard.press("Alt+n");
  for (const [name, reason] of [["2nd", "begins with no digit"], ["when", "a word of the language"]]) {
    await nameField(page).fill(name);
    await page.locator(".new-model").getByText(reason).waitFor();
    assert.equal(await page.getByRole("button", { name: "Make it" }).isEnabled(), false);
  }
  await nameField(page).fill("Taken");
  await nameField(page).press("Enter");
  await page.getByText("There is a file Taken.mo already.").waitFor();
  assert.equal(await studio.read("Taken.mo"), "model Taken\nend Taken;\n");
  await context.close();
});

test("a run of another model is not laid over those that are shown", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await runToEnd(page);
  await runToEnd(page);
  await eventually(() => page.locator(".chip").count(), (count) => count === 2);
  await openModel(page, "bouncing_ball/bouncing_ball.mo", "BouncingBall");
  await runToEnd(page);
  await eventually(() => page.locator(".chip").count(), (count) => count === 1);
  await eventually(() => page.locator(".legend").innerText(), (text) => /^\s*h\s+m\s+v\s+m\/s\s*$/.test(text));
  // Picked in the list of stored runs it is laid over them all the same.
  await page.getByRole("button", { name: "Results" }).click();
  await page.locator(".runs-list label", { hasText: "Pendulum" }).first().click();
  await eventually(() => page.locator(".chip").count(), (count) => count === 2);
  await context.close();
});

test("legends have the colours of their curves when the theme changes", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await runToEnd(page);
  const line = page.locator(".legend line").first();
  await line.waitFor({ state: "attached" });  // A level line has no height.
  const colors = async () => [await line.getAttribute("stroke"), await page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue("--series-1").trim())];
  const [light, asked] = await colors();
  assert.equal(light, asked);
  await page.emulateMedia({ colorScheme: "dark" });
  await eventually(colors, ([drawn, wanted]) => drawn === wanted && drawn !== light);
  await context.close();
});

test("Enter takes the first signal that is found, also while the list is read", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await runToEnd(page);
  await page.getByRole("button", { name: "Results" }).click();
  await page.locator(".signal").first().waitFor();
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(/\/signals\?.*q=/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel("Search the signals").fill("der(r*");
  await page.getByLabel("Search the signals").press("Enter");
  release();
  await page.locator(".legend").getByText("der(rate)").waitFor();
  assert.equal(await page.getByLabel("Plot der(rate)").isChecked(), true);
  await context.close();
});

test("a measure is written with spaces around its sign, and Start stays in sight", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Experiments", exact: true }).click();
  await page.getByRole("button", { name: "New experiment" }).click();
  await page.getByLabel("Parameter", { exact: true }).fill("length");
  await page.getByLabel("Values of length").fill("1:1:3");
  await page.getByRole("button", { name: "Another measure" }).click();
  await page.getByLabel("Measure", { exact: true }).fill("fast = max(rate)");
  const start = page.getByRole("button", { name: "Start 3 runs" });
  const { y, height } = await boxOf(start);
  assert.ok(y + height < (await boxOf(page.locator(".run-bar"))).y, `Start at ${y}`);
  await start.click();
  await page.locator(".table-row").nth(2).waitFor();
  await page.locator(".table-head").getByText("fast").first().waitFor();
  await page.getByRole("button", { name: "Change the form" }).click();
  await eventually(() => page.locator(".design-pane").evaluate((pane) => pane.scrollTop),
    (top) => top === 0);
  await context.close();
});

test("a comparison calls settings by their own names", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Experiments", exact: true }).click();
  await runToEnd(page);
  await page.getByRole("button", { name: "Set a parameter for this run only" }).click();
  await page.getByLabel("Name of a parameter").fill("length");
  await page.getByLabel("Value of length").fill("2");
  await runToEnd(page);
  const last = await newest(page);
  await page.getByLabel(`Mark experiment ${last - 1}`).check();
  await page.getByLabel(`Mark experiment ${last}`).check();
  await page.getByRole("button", { name: "Compare the marked experiments" }).click();
  const settings = page.getByRole("region", { name: "Settings" });
  const rows = () => settings.locator("tr").evaluateAll((list) =>
    list.map((row) => [...row.children].map((cell) => cell.textContent.trim()).join(" | ")));
  await settings.locator("tbody tr").first().waitFor();
  assert.deepEqual((await rows()).slice(1), ["length | as in the model | 2"]);
  await page.getByRole("button", { name: "Show all settings" }).click();
  assert.deepEqual((await rows()).slice(1), ["kind | simulate | simulate",
    "model | Pendulum | Pendulum", "how it ended | completed | completed",
    "file | pendulum/pendulum.mo | pendulum/pendulum.mo", "class | Pendulum | Pendulum",
    "length | as in the model | 2"]);
  await context.close();
});

test("a plan without a model says what is missing before it can be carried out", async () => {
  const { page, context } = await openPage(studio);
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await page.locator(".plain-list").getByText("day.json").click();
  await page.getByText("Choose the model that carries it out.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Carry out" }).isEnabled(), false);
  await context.close();
});
