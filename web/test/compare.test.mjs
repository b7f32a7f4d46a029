// Comparisons of experiments, and reports that leave this machine.
import assert from "node:assert/strict";
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import {
  closeBrowser, eventually, openModel, openPage, startStudio,
} from "./studio.mjs";

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum"] });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

async function run(page, experiment) {
  await page.keyboard.press("F5");
  await page.locator(".experiment-list li", { hasText: new RegExp(`^${experiment} `) })
    .waitFor();
  await eventually(() => page.locator(".progress").getAttribute("data-state"),
    (now) => now === "completed", 20000);
}

/** Two runs of a pendulum: the second is longer, in its text and its time. */
async function runTwice(page) {
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Experiments", exact: true }).click();
  await run(page, 1);
  const text = await studio.read("pendulum/pendulum.mo");
  await studio.write("pendulum/pendulum.mo", text.replace("length = 1", "length = 2")
    .replace("length(unit = \"m\") = 1", "length(unit = \"m\") = 2"));
  await eventually(() => page.locator(".cm-content").first().innerText(),
    (now) => /length.* = 2/.test(now));
  await page.getByLabel("stop", { exact: true }).fill("5");
  await run(page, 2);
}

async function mark(page, ids) {
  for (const id of ids) await page.getByLabel(`Mark experiment ${id}`).check();
}

test("scenario 34: settings, texts, curves of two experiments are side by side", async () => {
  const { page, context, errors } = await openPage(studio);
  await runTwice(page);
  await mark(page, [1, 2]);
  await page.getByRole("button", { name: "Compare the marked experiments" }).click();
  const settings = page.getByRole("region", { name: "Settings" });
  const row = settings.locator("tr", { hasText: "stop" });
  await row.waitFor();
  assert.deepEqual(await row.locator("td").allInnerTexts(), ["–", "5"]);
  const texts = page.getByRole("region", { name: "Texts" });
  await texts.locator("h3", { hasText: "pendulum/pendulum.mo" }).waitFor();
  const sides = texts.locator(".cm-content");
  await eventually(() => sides.count(), (count) => count === 2);
  assert.match(await sides.nth(0).innerText(), /length\(unit = "m"\) = 1/);
  assert.match(await sides.nth(1).innerText(), /length\(unit = "m"\) = 2/);
  assert.ok(await texts.locator(".cm-changedText").count() >= 2);
  const measures = page.getByRole("region", { name: "Measures" });
  const length = await measures.locator("tr", { hasText: "length" }).locator("td")
    .allInnerTexts();
  assert.deepEqual(length, ["1", "2", "1"]);
  // Both begin at the same angle: the difference begins at zero.
  await page.getByRole("img", { name: "Difference of angle" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("experiments that differ in nothing say so", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Experiments", exact: true }).click();
  await run(page, 3);
  await run(page, 4);
  await mark(page, [3, 4]);
  await page.getByRole("button", { name: "Compare the marked experiments" }).click();
  await page.getByText("All settings are the same.").waitFor();
  await page.getByText("All of them ran the same texts.").waitFor();
  await context.close();
});

test("scenario 38: a report opens from a file, and asks nobody for anything", async () => {
  const { page, context } = await openPage(studio);
  await page.getByRole("button", { name: "Results" }).click();
  for (const id of [1, 2]) {
    await page.locator(".runs-list label", { hasText: new RegExp(`^${id}Pendulum`) }).click();
  }
  await page.locator(".legend", { hasText: "angle" }).waitFor();
  await page.getByRole("button", { name: "Experiments", exact: true }).click();
  await mark(page, [1, 2]);
  await page.getByLabel("Note for the report").fill("Twice the length, <half> the time");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Write a report of the marked experiments" }).click(),
  ]);
  const path = join(studio.folder, "report.html");
  await download.saveAs(path);
  const bytes = await readFile(path);
  assert.ok(bytes.length < 2_000_000, `${bytes.length} bytes`);
  const reader = await context.newPage();
  const requests = [];
  const failures = [];
  reader.on("request", (request) => requests.push(request.url()));
  reader.on("pageerror", (error) => failures.push(error.message));
  await context.setOffline(true);
  await reader.goto(`file://${path}`, { waitUntil: "networkidle" });
  assert.deepEqual(requests, [`file://${path}`]);
  assert.deepEqual(failures, []);
  const text = await reader.locator("body").textContent();
  assert.match(text, /xperiment 1/);
  assert.match(text, /xperiment 2/);
  assert.match(text, /Twice the length, <half> the time/);
  // Sources, and a curve of each run, as it was.
  assert.match(text, /length\(unit = "m"\) = 1/);
  assert.match(text, /length\(unit = "m"\) = 2/);
  assert.ok(await reader.locator("svg path, svg polyline").count() > 2);
  // The plots that the page showed, if they belong to these experiments.
  const picture = reader.locator("figure svg");
  assert.match(await picture.locator("title").textContent(), /angle/);
  assert.equal(await reader.locator("figure svg polyline").count(), 4);
  await context.close();
});
