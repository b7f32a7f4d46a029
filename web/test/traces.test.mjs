// Traces of DEVS runs that are kept with their experiments.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { addPlugins, trustFolder } from "./plugins.mjs";
import {
  boxOf, closeBrowser, eventually, openPage, programs, startStudio,
} from "./studio.mjs";

let studio;
before(async () => {
  studio = await startStudio();
  await addPlugins(studio, "bank");
  // A customer each 30 s gives three messages: in 130 days more than a million.
  execFileSync(join(programs, "orrery"), [
    "run", "libbank.so", "--keep-trace", "--stop", "130 d", "--quiet",
  ], { cwd: studio.folder });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

async function openTraces() {
  const { page, context, errors } = await openPage(studio);
  await trustFolder(page);
  await page.getByRole("button", { name: "Trace", exact: true }).click();
  return { page, context, errors };
}

function position(page) {
  return page.locator(".trace-steps").first().innerText();
}

function countIn(text) {
  return Number(/of ([\d,]+) microsteps/.exec(text)[1].replaceAll(",", ""));
}

test("scenario 37: a million messages are filtered and stepped through", async () => {
  const { page, context, errors } = await openTraces();
  const sizes = [];
  page.on("response", async (answer) => {
    if (!answer.url().includes("/trace")) return;
    const body = await answer.body().catch(() => null);  // The page is closed.
    if (body) sizes.push(body.length);
  });
  await page.locator(".stored-traces .tree-row").first().click();
  await page.locator(".trace-step").first().waitFor();
  const all = countIn(await position(page));
  assert.ok(all > 1_000_000, `${all} microsteps`);
  assert.deepEqual(await page.locator(".lanes > span").allInnerTexts().then((texts) =>
    texts.map((text) => text.split("\n")[0])), ["door", "choice", "line0"]);

  // A microstep later the customer has gone from the door to the line.
  assert.match(await position(page), /microstep 1/);
  assert.match(await page.locator(".trace-step[data-chosen=true] title").first().textContent(),
    /bank\.door to bank\.choice/);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await eventually(() => position(page), (text) => /microstep 2/.test(text));
  await eventually(() =>
    page.locator(".trace-step[data-chosen=true] title").first().textContent(),
  (text) => /bank\.choice to bank\.line0/.test(text));

  // The filter leaves what concerns the line, in all of the run.
  await page.getByLabel("Filter the models").fill("*.line0");
  await eventually(() => position(page), (text) => countIn(text) < all, 15000);
  assert.deepEqual(await page.locator(".lanes > span").allInnerTexts().then((texts) =>
    texts.map((text) => text.split("\n")[0])), ["line0"]);
  const fitting = countIn(await position(page));
  assert.ok(fitting > 600_000 && fitting < all, `${fitting} of ${all}`);
  // No answer is more than the windows in view need.
  assert.ok(Math.max(...sizes) < 400_000, `${Math.max(...sizes)} bytes`);
  assert.deepEqual(errors, []);
  await context.close();
});

test("scenario 37: a message leads to the state of its receiver before and after", async () => {
  const { page, context } = await openTraces();
  await page.locator(".stored-traces .tree-row").first().click();
  await page.locator(".trace-step").first().waitFor();
  const strip = await boxOf(page.locator(".density"));
  await page.mouse.click(strip.x + strip.width / 2, strip.y + 10);
  const middle = 65 * 86400;
  await eventually(() => position(page), (text) => {
    const time = Number(/t = (\S+) s/.exec(text)?.[1].replaceAll(" ", ""));
    return Math.abs(time - middle) < 0.02 * middle;
  });
  const arrow = page.locator(".trace-step .message", {
    has: page.locator("title", { hasText: "to bank.line0" }),
  }).first();
  await arrow.waitFor();
  await arrow.click();
  const state = page.locator(".trace-state tr[data-chosen=true]");
  await state.waitFor();
  await eventually(() => state.innerText(), (text) =>
    /bank\.line0/.test(text) && (text.match(/[a-z_]+=[\d-]/g) ?? []).length >= 2);
  const [, , before, now] = await state.locator("th, td").allInnerTexts();
  assert.match(before, /since/);
  assert.notEqual(before.replace(/ ?since.*/, ""), now);
  await context.close();
});

test("a traced run that is started in the page opens with its trace", async () => {
  const { page, context } = await openTraces();
  await page.locator(".new-trace").getByLabel("stop").fill("10 h");
  await page.getByRole("button", { name: "Run with trace" }).click();
  await page.locator(".trace-step").first().waitFor();
  await eventually(() => page.locator(".stored-traces .tree-row").count(), (n) => n === 2);
  assert.match(await page.locator(".terminal-line").innerText(), /--keep-trace/);
  const count = countIn(await position(page));
  assert.ok(count > 1000 && count < 10_000, `${count} microsteps`);
  await context.close();
});

test("a filter that no model fits says so", async () => {
  const { page, context } = await openTraces();
  await page.locator(".stored-traces .tree-row").last().click();
  await page.locator(".trace-step").first().waitFor();
  await page.getByLabel("Filter the models").fill("nobody");
  await page.getByText("No model fits nobody").waitFor();
  await context.close();
});
