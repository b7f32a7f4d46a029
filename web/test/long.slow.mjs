// Hours of work in one page.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { measureMemory } from "./numbers/program.mjs";
import { closeBrowser } from "./studio.mjs";

after(closeBrowser);

test("scenario 48: memory stays flat while a model is typed at and run a hundred times", async () => {
  const found = {};
  await measureMemory({
    smoke: false,
    tell: (name, ours, unit) => { found[name] = `${ours.toFixed(1)} ${unit}`; },
  });
  const growth = Object.keys(found).find((name) => name.includes("growth"));
  assert.ok(parseFloat(found[growth]) < 20, JSON.stringify(found));
  assert.ok(parseFloat(found["memory of the page after 100 runs"]) < 300, JSON.stringify(found));
});
