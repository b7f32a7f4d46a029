// Every example of the Modelica Standard Library opens with its diagram.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { askLanguage, closeBrowser, openPage, startStudio } from "./studio.mjs";
import { closeTabs, examplesOf, openDiagram, skip } from "./msl.mjs";

let studio;
before(async () => {
  if (!skip) studio = await startStudio();
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

const sceneOf = (page, name) =>
  askLanguage(page, "orrery/scene", { class: name, layer: "diagram" });

/** What keeps a diagram from being drawn; all icons that it needs are noted. */
function faultsOf(scene, icons) {
  if (scene === null) return ["has no scene"];
  const faults = scene.broken ? ["cannot be read"] : [];
  for (const part of scene.components) {
    if (part.at && !part.icon) faults.push(`${part.name} has no icon`);
    for (const { icon } of [part, ...part.ports]) if (icon) icons.add(icon);
  }
  return faults;
}

test("scenario 17: every example of the library has a diagram, with all its icons",
  { skip }, async () => {
    const { page, context } = await openPage(studio);
    const names = await examplesOf(page);
    assert.ok(names.length > 400, `${names.length} examples`);
    const failures = [];
    const icons = new Set();
    let parts = 0;
    let lines = 0;
    for (const name of names) {
      const scene = await sceneOf(page, name).catch((reason) => {
        failures.push(`${name}: ${reason.message}`);
      });
      if (!scene) continue;
      parts += scene.components.length;
      lines += scene.connections.length;
      failures.push(...faultsOf(scene, icons).map((fault) => `${name}: ${fault}`));
    }
    const wanted = [...icons];
    let drawn = 0;
    for (let i = 0; i < wanted.length; i += 100) {
      const found = await askLanguage(page, "orrery/icon", { icons: wanted.slice(i, i + 100) });
      drawn += Object.keys(found).length;
    }
    await context.close();
    assert.deepEqual(failures, []);
    assert.ok(parts > 5 * names.length, `${parts} components`);
    assert.ok(lines > parts / 2, `${lines} lines of ${parts} components`);
    assert.equal(drawn, wanted.length);
  });

test("scenario 17: each twentieth example is drawn with all its parts, the console empty",
  { skip }, async () => {
    const { page, context, errors } = await openPage(studio);
    const names = (await examplesOf(page)).filter((_, i) => i % 20 === 0);
    const shown = {};
    const expected = {};
    for (const name of names) {
      const { components } = await sceneOf(page, name);
      expected[name] = components.filter(({ at }) => at).length;
      shown[name] = await openDiagram(page, name);
      await closeTabs(page);
    }
    assert.ok(names.length > 20, `${names.length} examples`);
    assert.deepEqual(shown, expected);
    assert.deepEqual(await page.locator(".notice.bad").allInnerTexts(), []);
    assert.deepEqual(errors, []);
    await context.close();
  });
