// Every example of the Modelica Standard Library opens with its diagram.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, openPage, startStudio } from "./studio.mjs";
import { closeTabs, examplesOf, openDiagram, skip } from "./msl.mjs";

let studio;
before(async () => {
  if (!skip) studio = await startStudio();
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

test("scenario 17: every example of the library opens with a diagram, the console empty",
  { skip }, async () => {
    let { page, context, errors } = await openPage(studio);
    const names = await examplesOf(page);
    assert.ok(names.length > 400, `${names.length} examples`);
    const failures = [];
    let parts = 0;
    for (const [i, name] of names.entries()) {
      // Nobody looks at six hundred models in one visit.
      if (i > 0 && i % 100 === 0) {
        await context.close();
        ({ page, context, errors } = await openPage(studio));
      }
      page.setDefaultTimeout(15000);
      const told = errors.length;
      try {
        parts += await openDiagram(page, name);
        for (const notice of await page.locator(".notice.bad").allInnerTexts()) {
          failures.push(`${name}: ${notice}`);
        }
        await closeTabs(page);
      } catch (reason) {
        failures.push(`${name}: ${reason.message}`);
        await page.keyboard.press("Escape");
      }
      failures.push(...errors.slice(told).map((text) => `${name}: ${text}`));
    }
    await context.close();
    assert.deepEqual(failures, []);
    assert.ok(parts > 10 * names.length / 2, `${parts} components`);
  });
