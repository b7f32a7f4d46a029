// All screens for those who hear them or see little: axe finds nothing serious.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { closeBrowser, openModel, openPage, runToEnd, startStudio } from "./studio.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum", "dc_motor"] });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** What is serious on the page, as one text for each rule. */
async function findings(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations.filter((v) => ["serious", "critical"].includes(v.impact))
      .map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`);
  });
}

const screens = {
  async "an empty window"() {},
  async "curves with cursors and signals"(page) {
    await openModel(page, "pendulum/pendulum.mo", "Pendulum");
    await runToEnd(page);
    await page.getByRole("button", { name: "Results" }).click();
    await page.locator(".signal").first().waitFor();
    await page.locator(".u-over").first().click();
  },
  async "a form of an experiment"(page) {
    await openModel(page, "pendulum/pendulum.mo", "Pendulum");
    await page.getByRole("button", { name: "Experiments", exact: true }).click();
    await page.getByRole("button", { name: "New experiment" }).click();
    await page.getByRole("radio", { name: "Calibrate" }).click();
  },
  async "a table of runs with its view"(page) {
    await openModel(page, "pendulum/pendulum.mo", "Pendulum");
    await page.getByRole("button", { name: "Set a parameter for this run only" }).click();
    await page.getByLabel("Name of a parameter").fill("length");
    await page.getByLabel("Value of length").fill("{1,2,3}");
    await page.getByRole("button", { name: "Run 3" }).click();
    await page.locator(".experiment-pane .table-row").nth(2).waitFor();
    await page.locator("summary", { hasText: "view" }).click();
  },
  async "equations"(page) {
    await openModel(page, "dc_motor/dc_motor.mo", "DcMotor");
    await page.getByRole("tab", { name: "Equations" }).click();
    await page.locator(".equation").first().waitFor();
  },
  async "the list of keys"(page) {
    await page.keyboard.press("?");
    await page.locator(".key-list").waitFor();
  },
  async "classes that are found"(page) {
    await page.getByLabel("Search the libraries").fill("resistor");
    await page.locator(".hit").first().waitFor();
  },
};

for (const [name, open] of Object.entries(screens)) {
  test(`scenario 46: axe finds nothing serious on ${name}, light or dark`, async () => {
    const { page, context } = await openPage(studio);
    await open(page);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      assert.deepEqual(await findings(page), [], colorScheme);
    }
    await context.close();
  });
}
