// One document in two pages: one edits it, the other follows and may take it over.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  askStudio, boxOf, closeBrowser, dragBetween, eventually, openModel, openPage, part,
  putCaret, save, startStudio, waitForDiagram,
} from "./studio.mjs";

const text = `model Pair "Two"
  Parts.Resistor R1 annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Parts.Resistor R2 annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
end Pair;
`;

let studio;
before(async () => {
  studio = await startStudio({ files: { "Pair.mo": text } });
});
beforeEach(() => studio.write("Pair.mo", text));
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** Another page: a tab of the browser, or a browser of its own. */
async function secondPage(context) {
  if (!context) return openPage(studio);
  const page = await context.newPage();
  await page.goto(studio.newUrl());
  await page.waitForSelector(".tree-row");
  return { page };
}

const follows = (page) =>
  page.locator(".editor-pane").getByText("is edited in another tab or browser");
const editHere = (page) => page.locator(".editor-pane").getByRole("button", { name: "Edit here", exact: true }).click();
const line = (page, words) => page.locator(".cm-line", { hasText: words });

async function typeBehind(page, words, typed) {
  await putCaret(page, words, words.length);
  await page.keyboard.type(typed);
}

for (const where of ["tab", "browser"]) {
  test(`a second ${where} follows a document, and takes it over with what was not saved`, async () => {
    const first = await openPage(studio);
    await openModel(first.page, "Pair.mo", "Pair");
    const second = await secondPage(where === "tab" ? first.context : null);
    await openModel(second.page, "Pair.mo", "Pair");
    await follows(second.page).waitFor();
    assert.equal(await follows(first.page).count(), 0);
    await typeBehind(first.page, '"Two', " parts");
    await line(second.page, '"Two parts"').waitFor();
    // What is typed last is handed over with the document.
    await first.page.keyboard.type(" of one kind");
    await editHere(second.page);
    await line(second.page, '"Two parts of one kind"').waitFor();
    await follows(first.page).waitFor();
    await follows(second.page).waitFor({ state: "detached" });
    await putCaret(first.page, '"Two', 4);
    await first.page.keyboard.type("no");
    await typeBehind(second.page, "of one kind", ", mine");
    await line(first.page, '"Two parts of one kind, mine"').waitFor();
    await save(second.page);
    assert.equal(await studio.read("Pair.mo"), text.replace('"Two"', '"Two parts of one kind, mine"'));
    await first.page.waitForFunction(() => !document.querySelector(".tab .dot"));
    // Its history has the changes of this page alone.
    await second.page.keyboard.press("Control+z");
    await line(second.page, '"Two parts of one kind"').waitFor();
    await second.page.keyboard.press("Control+z");
    await line(second.page, '"Two parts of one kind"').waitFor();
    await save(second.page);
    await first.context.close();
    if (where === "browser") await second.context.close();
  });
}

test("a diagram that follows refuses to move its parts, and moves them once taken over", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Pair.mo", "Pair");
  await typeBehind(page, '"Two', " of them, not saved");
  const other = (await secondPage(context)).page;
  await openModel(other, "Pair.mo", "Pair");
  await waitForDiagram(other);
  await line(other, '"Two of them, not saved"').waitFor();
  await other.locator(".diagram-head").getByText("read only").waitFor();
  const place = () => part(other, "R1").evaluate((node) => node.style.transform);
  const before = await place();
  const dragDown = async () => {
    const { x, y, width, height } = await boxOf(part(other, "R1"));
    await dragBetween(other, part(other, "R1"), [x + width / 2, y + 2 * height]);
  };
  await dragDown();
  assert.equal(await place(), before);
  await editHere(other);
  await follows(page).waitFor();
  await other.locator(".diagram-head").getByText("read only").waitFor({ state: "detached" });
  await dragDown();
  await eventually(place, (now) => now !== before);
  await save(other);
  const saved = await studio.read("Pair.mo");
  assert.match(saved, /^model Pair "Two of them, not saved"$/m);
  assert.match(saved, /^ {2}Parts\.Resistor R1 annotation\(Placement\(transformation\(extent = \{\{-60, -\d+\}, \{-40, -\d+\}\}\)\)\);$/m);
  assert.equal(saved.split("\n")[2], text.split("\n")[2]);
  await context.close();
});

test("a page that does not hear that it has lost a document shows both texts, and loses none", async () => {
  const { page, context } = await openPage(studio);
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (path, options) => (path === "/api/events"
      ? Promise.reject(new TypeError("cut by the test")) : fetch(path, options));
  });
  await page.reload();
  await page.waitForSelector(".tree-row");
  await openModel(page, "Pair.mo", "Pair");
  const other = await secondPage();
  await openModel(other.page, "Pair.mo", "Pair");
  await editHere(other.page);
  await follows(other.page).waitFor({ state: "detached" });
  await typeBehind(other.page, '"Two', " there");
  await eventually(() => askStudio(other.page, "/api/drafts"), ({ items }) => items.length === 1);
  await typeBehind(page, '"Two', " here");
  await page.getByText("Another tab took this file over").waitFor();
  await page.getByRole("button", { name: "Compare" }).click();
  await page.locator(".differences").getByText('"Two there"').waitFor();
  await page.locator(".differences").getByText('"Two here"').waitFor();
  await page.getByRole("button", { name: "Edit here with mine" }).click();
  await follows(other.page).waitFor();
  await line(other.page, '"Two here"').waitFor();
  // The text of the other page is one step back.
  await putCaret(page, '"Two here"');
  await page.keyboard.press("Control+z");
  await line(page, '"Two there"').waitFor();
  await page.keyboard.press("Control+y");
  await save(page);
  assert.equal(await studio.read("Pair.mo"), text.replace('"Two"', '"Two here"'));
  await context.close();
  await other.context.close();
});

test("a document whose page is closed is edited by the one that followed it", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Pair.mo", "Pair");
  const other = (await secondPage(context)).page;
  await openModel(other, "Pair.mo", "Pair");
  await follows(other).waitFor();
  await typeBehind(page, '"Two', " left");
  await line(other, '"Two left"').waitFor();
  page.on("dialog", (dialog) => dialog.accept());
  await page.close({ runBeforeUnload: true });
  await follows(other).waitFor({ state: "detached" });
  await typeBehind(other, '"Two left', " behind");
  await save(other);
  assert.equal(await studio.read("Pair.mo"), text.replace('"Two"', '"Two left behind"'));
  await context.close();
});
