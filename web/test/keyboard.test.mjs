// All work by the keyboard alone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  closeBrowser, eventually, openPage, part, runToEnd, save, startStudio,
} from "./studio.mjs";

let studio;
before(async () => {
  // Without libraries, the parts of the folder are the only ones that are found.
  studio = await startStudio({
    files: { "Made.mo": "model Made\nend Made;\n" }, variables: { MODELICAPATH: "" },
  });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** Chooses in a dialog: what fits the words and stands first. */
async function choose(page, keys, words) {
  await page.keyboard.press(keys);
  await page.locator(".palette-field").waitFor();
  await page.keyboard.type(words);
  await page.locator(".palette-list li[aria-selected=true]", { hasText: words }).waitFor();
  await page.keyboard.press("Enter");
}

/** Goes from pane to pane until the keyboard is where `selector` says. */
async function goTo(page, selector) {
  const isThere = () => page.evaluate((s) => Boolean(document.activeElement?.closest(s)), selector);
  await eventually(async () => {
    if (await isThere()) return true;
    await page.keyboard.press("F6");
    return isThere();
  }, Boolean);
}

/** Finds a class by its description and puts it on the sheet. */
async function insert(page, words, name) {
  await goTo(page, ".sheet");
  await page.keyboard.press("a");
  const field = page.getByLabel("Search the libraries");
  await eventually(() => field.evaluate((node) => node === document.activeElement), Boolean);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(words);
  await page.locator(".hit", { hasText: words }).first().waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await part(page, name).waitFor();
}

/** Walks by arrow keys to a port; the line of help names where one is. */
async function walkTo(page, name) {
  const help = page.locator(".sheet-help");
  const isThere = async () => new RegExp(`(from|to) ${name.replace(".", "\\.")}:`)
    .test(await help.innerText());
  for (const key of ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp",
    "ArrowLeft", "ArrowDown"]) {
    for (let i = 0; i < 3; ++i) {
      if (await isThere()) return;
      await page.keyboard.press(key);
    }
  }
  assert.ok(await isThere(), `${name} is not reached: ${await help.innerText()}`);
}

async function wire(page, from, to) {
  await goTo(page, ".sheet");
  await page.keyboard.press("Escape");
  const chosen = page.locator(".react-flow__node-part.selected");
  await eventually(async () => {
    await page.keyboard.press("Tab");
    return chosen.first().getAttribute("data-id");
  }, (id) => id === from.split(".")[0]);
  await page.keyboard.press("c");
  await walkTo(page, from);
  await page.keyboard.press("Enter");
  await walkTo(page, to);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`[data-wire="${from}|${to}"]`);
}

test("scenario 46: a circuit is built, connected, run and read by the keyboard", async () => {
  const { page, context, errors } = await openPage(studio);
  await choose(page, "Control+p", "Made.mo");
  await page.waitForSelector(".sheet");
  await insert(page, "Constant voltage", "source");
  await insert(page, "Ideal linear resistor", "resistor");
  await insert(page, "The potential 0", "ground");
  await wire(page, "source.p", "resistor.p");
  await wire(page, "resistor.n", "source.n");
  await wire(page, "source.n", "ground.p");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await save(page);
  const text = await studio.read("Made.mo");
  assert.equal(text.split("connect(").length, 4, text);
  assert.equal(await runToEnd(page), "completed");
  await choose(page, "Control+Shift+p", "Show Results at the left");
  // A source of 1 V at 1 Ohm.
  await goTo(page, ".sidebar .virtual-list");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.type("resistor.p.i");
  const row = page.locator(".signal");
  await eventually(() => row.allInnerTexts(),
    (texts) => texts.length === 1 && texts[0].includes("resistor.p.i"));
  assert.match(await row.innerText(), /A\s*1$/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".legend", { hasText: "resistor.p.i" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
