// Renaming over files: texts, file names and package.order as one step.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  closeBrowser, eventually, openFile, openPage, part, putCaret, save, startStudio,
} from "./studio.mjs";

const place = "annotation(Placement(transformation(extent = {{-10,-10},{10,10}})))";
const water = {
  "package.mo": "within;\npackage Water \"Tanks and pipes\"\nend Water;\n",
  "package.order": "Tank\nPipe\nPlant\n",
  "Tank.mo": "within Water;\nmodel Tank \"A tank\" // the Tank of this package\n  parameter Real area = 1;\nend Tank;\n",
  "Pipe.mo": "within Water;\nmodel Pipe \"From a Tank to another\"\n  outer Tank source;\nend Pipe;\n",
  "Plant.mo": `within Water;\nmodel Plant\n  Water.Tank tank(area = 2) ${place};\n  .Water.Tank other;\nequation\n  // Tank and other are empty.\nend Plant;\n`,
};

let studio;
let opened;
beforeEach(async () => {
  studio = await startStudio();
  await mkdir(join(studio.folder, "Water"));
  for (const [name, text] of Object.entries(water)) {
    await writeFile(join(studio.folder, "Water", name), text);
  }
  opened = await openPage(studio);
});
afterEach(async () => {
  await opened?.context.close();
  await studio?.stop();
});
after(closeBrowser);

/** The news of a saved file may lead to it when it has moved on already. */
const isFault = (error) => !/status of 404/.test(error);

/** The names and texts of a folder, as they are on disk. */
async function folder(name) {
  const names = (await readdir(join(studio.folder, name))).filter((n) => !n.startsWith("."));
  return Object.fromEntries(await Promise.all(names.sort().map(async (file) =>
    [file, await studio.read(`${name}/${file}`)])));
}

const sorted = (files) => Object.fromEntries(Object.entries(files).sort());

/** The package with its class Tank called Vessel. */
const vessels = sorted({
  "package.mo": water["package.mo"],
  "package.order": "Vessel\nPipe\nPlant\n",
  "Vessel.mo": "within Water;\nmodel Vessel \"A tank\" // the Tank of this package\n  parameter Real area = 1;\nend Vessel;\n",
  "Pipe.mo": water["Pipe.mo"].replace("outer Tank", "outer Vessel"),
  "Plant.mo": water["Plant.mo"].replace("Water.Tank tank", "Water.Vessel tank")
    .replace(".Water.Tank other", ".Water.Vessel other"),
});

async function rename(page, to) {
  await page.keyboard.press("F2");
  const field = page.locator(".cm-dialog input[name=name]");
  await field.fill(to);
  await field.press("Enter");
}

async function isOnDisk(name, files) {
  await eventually(() => folder(name).catch(() => ({})).then((found) => JSON.stringify(found)),
    (found) => found === JSON.stringify(files));
}

test("scenario 10: a class renamed over three files and package.order is undone at once", async () => {
  const { page, errors } = opened;
  await openFile(page, "Water/Tank.mo");
  await putCaret(page, "model Tank", 8);
  await rename(page, "Vessel");
  await isOnDisk("Water", vessels);
  await page.locator(".tab", { hasText: "Vessel.mo" }).waitFor();
  assert.equal(await page.locator(".tab .dot").count(), 0);
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+z");
  await isOnDisk("Water", sorted(water));
  await page.locator(".tab", { hasText: "Tank.mo" }).waitFor();
  await page.keyboard.press("Control+y");
  await isOnDisk("Water", vessels);
  assert.deepEqual(errors.filter(isFault), []);
});

test("scenario 10: a class is renamed where it is used, and its diagram follows", async () => {
  const { page, errors } = opened;
  await openFile(page, "Water/Tank.mo");
  await page.locator(".tab", { hasText: "Tank" }).nth(1).waitFor();
  await openFile(page, "Water/Plant.mo");
  await part(page, "tank").waitFor();
  await putCaret(page, "Water.Tank tank", 8);
  await rename(page, "Vessel");
  await isOnDisk("Water", vessels);
  await eventually(() => page.locator(".tab").allInnerTexts(), (tabs) =>
    tabs.map((text) => text.trim()).join() === "Vessel.mo,Plant.mo,Vessel,Plant");
  // The diagram goes on: a part is moved in the renamed world.
  await part(page, "tank").click();
  await page.locator(".inspector-type", { hasText: "Water.Vessel" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".tab .dot");
  await save(page);
  assert.equal(await studio.read("Water/Plant.mo"),
    vessels["Plant.mo"].replace("{{-10,-10},{10,10}}", "{{-8,-10},{12,10}}"));
  assert.deepEqual(errors.filter(isFault), []);
});

test("scenario 10: a renaming is not undone over a later change, and says why", async () => {
  const { page } = opened;
  await openFile(page, "Water/Plant.mo");
  await openFile(page, "Water/Tank.mo");
  await putCaret(page, "model Tank", 8);
  await rename(page, "Vessel");
  await isOnDisk("Water", vessels);
  await openFile(page, "Water/Plant.mo");
  await putCaret(page, "are empty", 9);
  await page.keyboard.type("!");
  await openFile(page, "Water/Vessel.mo");
  await page.locator(".cm-content:visible").first().click();
  await page.keyboard.press("Control+z");
  await page.getByText('"rename Tank to Vessel" cannot be undone: Water/Plant.mo has changed since')
    .waitFor();
  assert.deepEqual(await folder("Water"), vessels);
  // With that change undone, the renaming can be undone.
  await openFile(page, "Water/Plant.mo");
  await page.locator(".cm-content:visible").first().click();
  await page.keyboard.press("Control+z");
  await eventually(() => page.locator(".tab .dot").count(), (count) => count === 0);
  await page.keyboard.press("Control+z");
  await isOnDisk("Water", sorted(water));
});

test("scenario 10: a package is renamed with its folder", async () => {
  const { page, errors } = opened;
  await openFile(page, "Water/Plant.mo");
  await putCaret(page, "within Water", 8);
  await rename(page, "Liquid");
  const liquids = sorted({
    ...water,
    "package.mo": water["package.mo"].replaceAll("Water", "Liquid"),
    ...Object.fromEntries(["Tank.mo", "Pipe.mo", "Plant.mo"].map((name) =>
      [name, water[name].replaceAll("Water", "Liquid")])),
  });
  await isOnDisk("Liquid", liquids);
  assert.deepEqual(await folder("Water").catch(() => "gone"), "gone");
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+z");
  await isOnDisk("Water", sorted(water));
  assert.deepEqual(errors.filter(isFault), []);
});

test("scenario 10: a name that is taken is refused, and nothing changes", async () => {
  const { page } = opened;
  await openFile(page, "Water/Tank.mo");
  await putCaret(page, "model Tank", 8);
  await rename(page, "Pipe");
  await page.locator(".notice.bad", { hasText: "'Pipe' is there already, in Water" }).waitFor();
  assert.deepEqual(await folder("Water"), sorted(water));
});
