// Classes that the user comes back to.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, eventually, openModel, openPage, part, startStudio } from "./studio.mjs";

let studio;
before(async () => {
  studio = await startStudio({ variables: { MODELICAPATH: "" } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** The names in the part of the tree above the folder's files. */
async function usual(page) {
  const texts = await page.locator(".tree-head, .tree-row").allInnerTexts();
  const end = texts.findIndex((text) => /this folder/i.test(text));
  return texts.slice(0, end).map((text) => text.trim());
}

async function insert(page, words, name) {
  const field = page.getByLabel("Search the libraries");
  await field.fill(words);
  await page.locator(".hit", { hasText: words }).press("Enter");
  await part(page, name).waitFor();
  await field.fill("");
}

test("classes that were put on a sheet stand above the library, the last one first", async () => {
  const { page, context, errors } = await openPage(studio);
  assert.deepEqual(await usual(page), []);
  await openModel(page, "Circuit.mo", "Circuit");
  await insert(page, "Ideal linear resistor", "resistor");
  await insert(page, "Ideal linear capacitor", "capacitor");
  await eventually(() => usual(page), (rows) =>
    rows.join() === "Favourites and recent,Capacitor,Resistor");
  // Kept in the browser.
  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await eventually(() => usual(page), (rows) => rows.slice(1).join() === "Capacitor,Resistor");
  // A favourite stands before those that were used last.
  await page.locator(".tree-row", { hasText: "Resistor" }).first().hover();
  await page.getByRole("button", { name: "Resistor is a favourite" }).first().click();
  await eventually(() => usual(page), (rows) => rows.slice(1).join() === "Resistor,Capacitor");
  await page.locator(".tree .virtual-list").focus();
  await page.keyboard.press("*");
  await eventually(() => usual(page), (rows) => rows.slice(1).join() === "Capacitor,Resistor");
  assert.deepEqual(errors, []);
  await context.close();
});
