// The numbers that users of the page feel: node test/numbers.mjs [--smoke]
// Prints results as scripts/bench reads them, one JSON object a line. Times are told
// beside their bounds; counts and answers are checked, and a wrong one ends it with 1.
// --smoke takes small models, to see that all of it works.
import { existsSync } from "node:fs";
import { closeBrowser } from "./studio.mjs";
import { measureDiagram, measureTyping } from "./numbers/editing.mjs";
import {
  measureCrashes, measureMemory, measurePlan, measureRunCrash, measureStart,
} from "./numbers/program.mjs";
import { measureRuns, measureSignals, measureTable, measureZoom } from "./numbers/results.mjs";
import { measureLibrary } from "./numbers/library.mjs";

const smoke = process.argv.includes("--smoke");
let wrong = 0;

/**
 * Tells a result.
 * @param ours what was measured, in `unit`; NaN counts as wrong.
 * @param checked whether what was measured did the right thing.
 */
function tell(name, ours, unit, limit = null, checked = true) {
  const sound = checked && Number.isFinite(ours);
  if (!sound) ++wrong;
  console.log(JSON.stringify({
    benchmark: "studio", case: name, ours: Number(ours.toPrecision(4)), limit, unit,
    ratio: limit === null ? null : Number((ours / limit).toPrecision(3)), checked: sound,
  }));
}

if (!["/usr/bin/chromium", "/usr/bin/chromium-browser"].some(existsSync)) {
  console.error("skipped: the numbers of the page need Chromium");
  process.exit(0);
}
const parts = [
  measureStart, measureTyping, measureDiagram, measureLibrary, measureRuns,
  measureZoom, measureSignals, measureTable, measureCrashes, measureRunCrash, measurePlan,
  measureMemory,
];
for (const measure of parts) {
  try {
    await measure({ tell, smoke });
  } catch (reason) {
    ++wrong;
    console.error(`${measure.name}: ${reason.stack}`);
  }
}
await closeBrowser();
process.exitCode = wrong > 0 ? 1 : 0;
