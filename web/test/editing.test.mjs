// What the language service does while a text is typed: mends, completion, jumps.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  closeBrowser, eventually, openFile, openPage, putCaret, save, startStudio,
} from "./studio.mjs";

const tank = `model Tank "A tank that empties through a hole"
  parameter Real area(unit = "m2") = 2;
  Real level(unit = "m", start = 1, fixed = true);
  Parts.Ground ground;
equation
  area*der(level) = -sqrt(level);
end Tank;
`;

let studio;
before(async () => {
  studio = await startStudio({ files: { "Tank.mo": tank } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** Does `work` with a text in place of the tank's. */
async function withText(text, work) {
  await studio.write("Tank.mo", text);
  const opened = await openPage(studio);
  try {
    await openFile(opened.page, "Tank.mo");
    await work(opened.page, opened);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.context.close();
  }
}

/** A mistake under letters, or between them. */
const mark = ".cm-lintRange-error, .cm-lintPoint-error";

const mistakes = [
  { what: "a misspelled name", wrong: "area*der(level) = -sqrt(levl);", caret: "levl",
    says: /did you mean 'level'/ },
  { what: "letters in the wrong order", wrong: "aera*der(level) = -sqrt(level);",
    caret: "aera", says: /did you mean 'area'/ },
  { what: "a missing semicolon", wrong: "area*der(level) = -sqrt(level)", caret: "area*der",
    says: /add ';'/ },
];
for (const { what, wrong, caret, says } of mistakes) {
  test(`scenario 7: Alt+Enter mends ${what}`, async () => {
    const broken = tank.replace("area*der(level) = -sqrt(level);", wrong);
    await withText(broken, async (page) => {
      await page.locator(mark).first().waitFor({ state: "attached" });
      await eventually(() => page.locator(".problems").innerText(), (text) => says.test(text));
      await putCaret(page, caret, 1);
      await page.keyboard.press("Alt+Enter");
      await eventually(() => page.locator(mark).count(), (count) => count === 0);
      await save(page);
      assert.equal(await studio.read("Tank.mo"), tank);
      await page.keyboard.press("Control+z");
      await page.waitForSelector(".tab .dot");
      await save(page);
      assert.equal(await studio.read("Tank.mo"), broken);
    });
  });
}

test("scenario 7: a line without a mend says so and stays", async () => {
  await withText(tank, async (page) => {
    await putCaret(page, "Real level", 6);
    await page.keyboard.press("Alt+Enter");
    await page.getByText("There is no mend for this line.").waitFor();
    assert.equal(await page.locator(".tab .dot").count(), 0);
  });
});
const words = [
  { what: "a name", wrong: "area*der(level) = -sqrt(levabc);", caret: "levabc", at: 3,
    choose: "level" },
  { what: "the first letters", wrong: "area*der(level) = -sqrt(xevel);", caret: "xevel", at: 0,
    choose: "level" },
  { what: "a member", wrong: "area*der(level) = -ground.p.vabc;", caret: "vabc", at: 1,
    choose: "v", right: "area*der(level) = -ground.p.v;" },
];
for (const { what, wrong, caret, at, choose, right } of words) {
  test(`scenario 8: the completion of ${what} replaces the whole word`, async () => {
    const equation = "area*der(level) = -sqrt(level);";
    await withText(tank.replace(equation, wrong), async (page) => {
      await putCaret(page, caret, at);
      await page.keyboard.press("Control+Space");
      await page.locator(".cm-completionLabel", { hasText: new RegExp(`^${choose}$`) }).click();
      await eventually(() => page.locator(".cm-tooltip-autocomplete").count(), (n) => n === 0);
      await save(page);
      assert.equal(await studio.read("Tank.mo"), tank.replace(equation, right ?? equation));
    });
  });
}

test("scenario 8: a word is completed while it is typed, with its type and unit", async () => {
  await withText(tank, async (page) => {
    await putCaret(page, "equation", 8);
    await page.keyboard.press("Enter");
    await page.keyboard.type("  leve");
    const item = page.locator(".cm-tooltip-autocomplete li", { hasText: "level" }).first();
    await item.waitFor();
    assert.match(await item.innerText(), /Real.*\[m\]/s);
    await item.click();
    await page.locator(".cm-line", { hasText: /^\s*level$/ }).waitFor();
  });
});

/** The text of the line with the caret, and the file that is shown. */
async function whereIs(page) {
  return [await page.locator(".group").first().locator('.tab[data-active=true]').innerText(),
    (await page.locator(".cm-editor:visible .cm-activeLine").first().innerText()).trim()];
}

const jumps = [
  { what: "a block", declaration: "Modelica.Blocks.Sources.Sine wave(f = 2);", name: "Sine",
    file: "Sources.mo", line: /^block Sine/ },
  { what: "a type", declaration: "Modelica.Units.SI.Length depth = 1;", name: "Length",
    file: "Units.mo", line: /^type Length/ },
  { what: "a constant", declaration: "Real full = 2*Modelica.Constants.pi;", name: "pi",
    file: "Constants.mo", line: /^(final )?constant Real pi/ },
];
for (const { what, declaration, name, file, line } of jumps) {
  test(`scenario 11: F12 goes to ${what} of the standard library, and back`, async () => {
    await withText(tank.replace("Parts.Ground ground;", declaration), async (page) => {
      await putCaret(page, declaration, declaration.lastIndexOf(name) + 1);
      await page.keyboard.press("F12");
      const isThere = ([tab, text]) => tab.includes(file) && line.test(text);
      await eventually(() => whereIs(page), isThere);
      await page.getByText("belongs to a library and cannot be changed here").waitFor();
      await page.keyboard.type("x");
      assert.equal(await page.locator(".tab .dot").count(), 0);
      await page.keyboard.press("Alt+ArrowLeft");
      await eventually(() => whereIs(page), ([tab, text]) =>
        tab.includes("Tank.mo") && text === declaration);
      await page.keyboard.press("Alt+ArrowRight");
      await eventually(() => whereIs(page), isThere);
    });
  });
}
