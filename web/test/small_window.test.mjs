// The page at 200 %: half as many pixels each way. All that the wide window can do is
// there, by the mouse and by the keyboard, and for those who hear it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  boxOf, closeBrowser, eventually, openModel, openPage, part, runToEnd, startStudio,
} from "./studio.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum"] });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

const openSmall = () => openPage(studio, { width: 640, height: 360 });

async function findings(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations.filter((v) => ["serious", "critical"].includes(v.impact))
      .map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`);
  });
}

test("scenario 48: at 200 % a model is drawn, run and read with room for it", async () => {
  const { page, context, errors } = await openSmall();
  await openModel(page, "Circuit.mo", "Circuit");
  const editor = await boxOf(page.locator(".editor-host"));
  assert.ok(editor.width >= 300 && editor.height >= 200, `${editor.width} x ${editor.height}`);
  assert.equal(await page.locator(".diagram-pane").isVisible(), false);
  await page.getByRole("tab", { name: "Circuit", exact: true }).click();
  await part(page, "R1").waitFor();
  const sheet = await boxOf(page.locator(".sheet").first());
  assert.ok(sheet.width >= 300 && sheet.height >= 200, `${sheet.width} x ${sheet.height}`);
  assert.equal(await page.locator(".editor-host").isVisible(), false);
  assert.equal(await runToEnd(page), "completed");
  const plot = await boxOf(page.locator(".u-over").first());
  assert.ok(plot.width >= 200 && plot.height >= 100, `${plot.width} x ${plot.height}`);
  const progress = await boxOf(page.locator(".progress"));
  assert.ok(progress.x + progress.width <= 640, `progress ends at ${progress.x + progress.width}`);
  // The page itself does not scroll.
  assert.deepEqual(await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth, scrollHeight];
  }), [640, 360]);
  assert.deepEqual(errors, []);
  await context.close();
});

test("at 200 % the inspector lies over the centre, and goes again", async () => {
  const { page, context } = await openSmall();
  await openModel(page, "Circuit.mo", "Circuit");
  await page.getByRole("tab", { name: "Circuit", exact: true }).click();
  await part(page, "R1").click();
  const before_it = await boxOf(page.locator(".sheet").first());
  await page.keyboard.press("Control+i");
  const field = page.getByLabel("R", { exact: true });
  await field.fill("2 kOhm");
  await field.press("Enter");
  await eventually(() => field.inputValue(), (value) => value === "2000");
  assert.deepEqual(await boxOf(page.locator(".sheet").first()), before_it);
  await page.keyboard.press("Control+i");
  assert.equal(await field.count(), 0);
  await context.close();
});

test("a window that becomes wide has the panes that the small one hid", async () => {
  const { page, context } = await openSmall();
  assert.equal(await page.locator(".pane.at-right").count(), 0);
  assert.equal(await page.locator(".drawer").count(), 0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.locator(".pane.at-right").waitFor();
  await page.locator(".drawer").waitFor();
  await context.close();
});

test("scenario 46: at 200 % axe finds nothing serious, light or dark", async () => {
  const { page, context } = await openSmall();
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await runToEnd(page);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
    assert.deepEqual(await findings(page), [], colorScheme);
  }
  await page.getByRole("button", { name: "Experiments", exact: true }).click();
  await page.getByRole("button", { name: "New experiment" }).click();
  assert.deepEqual(await findings(page), []);
  await context.close();
});
