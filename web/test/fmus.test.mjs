// FMUs in the studio: a model is written as one, which opens, runs and is plotted.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { trustFolder } from "./plugins.mjs";
import {
  askStudio, closeBrowser, eventually, openModel, openPage, runToEnd, startStudio,
} from "./studio.mjs";

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum"], files: {
    "Wrong.mo": "model Wrong\n  Real x;\nequation\n  x = y;\nend Wrong;\n",
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

async function openFmu(page, path) {
  await page.keyboard.press("Control+p");
  await page.locator(".palette-field").fill(path);
  await page.locator(".palette-list li").filter({ hasText: path }).first().click();
}

test("a model is exported as an FMU, which shows its variables, runs and is plotted", async () => {
  const { page, context, errors } = await openPage(studio);
  await trustFolder(page);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.getByRole("button", { name: "Export as FMU" }).click();
  await page.getByText("Pendulum was written as pendulum/Pendulum.fmu").waitFor({ timeout: 60000 });
  assert.ok(existsSync(join(studio.folder, "pendulum/Pendulum.fmu")));
  await openFmu(page, "pendulum/Pendulum.fmu");
  await page.locator(".fmu-pane h1", { hasText: "Pendulum" }).waitFor();
  await page.locator(".fmu-pane").getByText(/FMI 3\.0, Co-Simulation, Model Exchange|FMI 3\.0, Model Exchange, Co-Simulation/).waitFor();
  const rows = await page.locator(".fmu-row:not(.fmu-head)").evaluateAll((list) =>
    list.map((row) => [...row.children].map((cell) => cell.textContent).join(" | ")));
  assert.ok(rows.includes("length | parameter | tunable | 1 | m"), rows.join("\n"));
  assert.ok(rows.includes("rate | local | continuous | 0 | rad/s"), rows.join("\n"));
  // A value of the inspector is one of the next run; the file stays as it is.
  await page.getByLabel("length", { exact: true }).fill("4");
  assert.equal(await page.getByLabel("Value of length").inputValue(), "4");
  assert.equal(await runToEnd(page), "completed");
  await page.locator(".legend").getByText("angle", { exact: true }).waitFor();
  const { experiments } = await askStudio(page, "/api/experiments?limit=1");
  const { document } = await askStudio(page, `/api/experiments/${experiments[0].id}`);
  assert.deepEqual([document.file, document.set], ["pendulum/Pendulum.fmu", { length: "4" }]);
  const { items } = await askStudio(page,
    `/api/experiments/${experiments[0].id}/0/signals?q=angle`);
  // Swings of 4 m take twice as long as those of 1 m: near -0.1745 after 10 s of 4.0 s each.
  const { last } = items.find(({ name }) => name === "angle");
  assert.ok(Math.abs(last - 0.17453 * Math.cos(10 * Math.sqrt(9.81 / 4))) < 0.01, `${last}`);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a model that cannot be compiled is not exported, and the reason is told", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Wrong.mo", "Wrong");
  await page.getByRole("button", { name: "Export as FMU" }).click();
  await page.locator(".notice.bad", { hasText: /cannot write Wrong as an FMU.*'y'/s })
    .waitFor({ timeout: 30000 });
  assert.equal(existsSync(join(studio.folder, "Wrong.fmu")), false);
  await context.close();
});

test("a file that is no FMU says so", async () => {
  await writeFile(join(studio.folder, "broken.fmu"), "no archive");
  const { page, context } = await openPage(studio);
  await openFmu(page, "broken.fmu");
  await page.getByText("This FMU cannot be read").waitFor();
  await eventually(() => page.locator(".empty-text").first().innerText(),
    (text) => text.includes("broken.fmu"));
  await context.close();
});

test("scenario 23: an FMU of an untrusted folder is not run before it is trusted", async () => {
  const { page, context } = await openPage(studio);
  await page.evaluate(() => fetch("/api/trust", {
    method: "PUT", headers: { "X-Orrery": "1", "Content-Type": "application/json" },
    body: '{"trusted": false}',
  }));
  const status = await page.evaluate(() => fetch("/api/runs", {
    method: "POST", headers: { "X-Orrery": "1", "Content-Type": "application/json" },
    body: JSON.stringify({ command: "run", file: "pendulum/Pendulum.fmu" }),
  }).then((answer) => answer.status));
  assert.equal(status, 403);
  await openFmu(page, "pendulum/Pendulum.fmu");
  await page.locator(".fmu-pane h1").waitFor();
  await page.keyboard.press("F5");
  await page.getByText("Do you trust this folder?").waitFor();
  await context.close();
});
