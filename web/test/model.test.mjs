// Text and diagram: one truth, one history.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  closeBrowser, dragBetween, eventually, openFile, openPage, part, port, save,
  startStudio, waitForDiagram,
} from "./studio.mjs";

let studio;
before(async () => {
  studio = await startStudio({ files: {
    "umlaut.mo": "\ufeffmodel M \"Größe 𝛼\"\r\n  Real 'x y'(start = 1, fixed = true);\r\nequation\r\n  der('x y') = -'x y';\r\nend M;\r\n",
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** Does `work` with the circuit, opened with its diagram; then restores its text. */
async function withCircuit(work) {
  const original = await studio.read("Circuit.mo");
  const opened = await openPage(studio);
  try {
    await openFile(opened.page, "Circuit.mo");
    await waitForDiagram(opened.page);
    await work({ ...opened, original });
  } finally {
    await opened.context.close();
    await studio.write("Circuit.mo", original);
  }
}

/** Waits until a part is drawn in another way than before `act`. */
async function redrawn(page, name, act) {
  const drawing = () => part(page, name).evaluate((node) =>
    node.style.transform + node.querySelector("svg").innerHTML);
  const before = await drawing();
  await act();
  await eventually(drawing, (now) => now !== before);
}

test("scenario 2: a class dropped on the sheet is declared in the text at once", async () => {
  await withCircuit(async ({ page, original, errors }) => {
    const caret = await page.locator(".cm-activeLine").innerText();
    await page.getByLabel("Search the libraries").fill("linear resistor");
    const hit = page.locator('.hit[title^="Parts.Resistor"]');
    await hit.dragTo(page.locator(".sheet .react-flow__pane"));
    await part(page, "resistor").waitFor();
    assert.equal(await page.locator(".cm-activeLine").innerText(), caret);
    await save(page);
    const text = await studio.read("Circuit.mo");
    const added = text.split("\n").filter((line) => !original.split("\n").includes(line));
    assert.equal(added.length, 1);
    assert.match(added[0], /^ {2}Parts\.Resistor \w+ ?\(?.*annotation\(Placement/);
    assert.deepEqual(errors, []);
  });
});

test("scenario 3: a drag from pin to pin connects them by an orthogonal line", async () => {
  await withCircuit(async ({ page, original }) => {
    await dragBetween(page, port(page, "R1", "p"), port(page, "C1", "n"));
    await page.waitForSelector('[data-wire="R1.p|C1.n"]');
    await save(page);
    const text = await studio.read("Circuit.mo");
    const [line] = text.split("\n").filter((l) => !original.split("\n").includes(l));
    const points = [...line.matchAll(/\{(-?[\d.]+), ?(-?[\d.]+)\}/g)]
      .map(([, x, y]) => [Number(x), Number(y)]);
    assert.match(line, /connect\(R1\.p, C1\.n\)/);
    for (let i = 1; i < points.length; ++i) {
      assert.ok(points[i][0] === points[i - 1][0] || points[i][1] === points[i - 1][1], line);
    }
  });
});

test("a line is chosen by a click and removed by Delete", async () => {
  await withCircuit(async ({ page, original }) => {
    const [x, y] = await page.locator(".wire-hit").nth(1).evaluate((path) => {
      const point = path.getPointAtLength(path.getTotalLength() * 0.4);
      const at = point.matrixTransform(path.getScreenCTM());
      return [at.x, at.y];
    });
    await page.mouse.click(x, y);
    await page.waitForSelector(".wire.selected");
    await page.locator(".sheet").press("Delete");
    await page.waitForSelector(".tab .dot");
    await save(page);
    const text = await studio.read("Circuit.mo");
    assert.equal(text, original.split("\n").filter((line) =>
      !line.includes("connect(R1.n, C1.p)")).join("\n"));
  });
});

test("scenario 4: moved, undone and redone, the bytes are the same", async () => {
  await withCircuit(async ({ page, original }) => {
    await part(page, "R1").click();
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".tab .dot");
    await save(page);
    const moved = await studio.read("Circuit.mo");
    assert.notEqual(moved, original);
    assert.match(moved, /R1\(R = 1000\) annotation\(Placement\(transformation\(extent = \{\{-28,30\},\{-8,50\}\}\)\)\)/);
    await page.keyboard.press("Control+z");
    await page.waitForSelector(".tab .dot");
    await save(page);
    assert.equal(await studio.read("Circuit.mo"), original);
    await page.keyboard.press("Control+y");
    await page.waitForSelector(".tab .dot");
    await save(page);
    assert.equal(await studio.read("Circuit.mo"), moved);
  });
});

test("scenario 5: twenty edits of text and diagram are undone to what is on disk", async () => {
  await withCircuit(async ({ page, original }) => {
    const keys = ["ArrowRight", "ArrowUp", "r", "ArrowDown", "h", "v", "ArrowLeft", "r", "h"];
    let gestures = 0;
    for (const name of ["R1", "C1"]) {
      await part(page, name).click();
      for (const key of keys) {
        await redrawn(page, name, () => page.keyboard.press(key));
        ++gestures;
      }
      await page.locator(".cm-line").nth(1).click();
      await page.keyboard.press("End");
      await page.keyboard.type(" x");
    }
    await part(page, "R1").click();
    for (let i = 0; i < gestures + 4; ++i) await page.keyboard.press("Control+z");
    await eventually(() => page.locator(".tab .dot").count(), (count) => count === 0);
    assert.equal(await studio.read("Circuit.mo"), original);
  });
});

test("scenario 6: a broken text greys the diagram and blocks nothing else", async () => {
  await withCircuit(async ({ page, errors }) => {
    await page.locator(".cm-line").nth(2).click();
    await page.keyboard.press("Home");
    await page.keyboard.type("model model");
    await page.waitForSelector(".sheet.stale");
    assert.equal(await part(page, "R1").count(), 1);
    await page.getByLabel("Search the libraries").fill("capacitor");
    await page.waitForSelector(".hit");
    await page.locator(".cm-line").nth(2).click();
    await page.keyboard.press("Control+z");
    await page.waitForSelector(".sheet:not(.stale)");
    assert.deepEqual(errors, []);
  });
});

test("scenario 12: 1.5 kOhm is written as 1500, and the unit menu never writes", async () => {
  await withCircuit(async ({ page }) => {
    await part(page, "R1").click();
    const field = page.getByLabel("R", { exact: true });
    await eventually(() => field.inputValue(), (value) => value === "1000");
    await field.fill("1.5 kOhm");
    await field.press("Enter");
    await page.waitForSelector(".tab .dot");
    await save(page);
    const text = await studio.read("Circuit.mo");
    assert.match(text, /R1\(R = 1500\)/);
    await page.getByLabel("Unit of R").selectOption("MOhm");
    await eventually(() => field.inputValue(), (value) => value === "0.0015");
    await page.getByLabel("Unit of R").selectOption("Ohm");
    await field.press("Enter");
    // The next change is the only one: nothing was written before it.
    await field.fill("2000");
    await field.press("Enter");
    await page.waitForSelector(".tab .dot");
    await save(page);
    assert.equal(await studio.read("Circuit.mo"), text.replace("R = 1500", "R = 2000"));
    await page.locator(".cm-line").first().click();
    await page.keyboard.press("Control+z");
    await page.waitForSelector(".tab .dot");
    await save(page);
    assert.equal(await studio.read("Circuit.mo"), text);
  });
});

test("scenario 9: a renamed component takes its connections with it", async () => {
  await withCircuit(async ({ page }) => {
    await part(page, "R1").click();
    const name = page.getByLabel("Name of the component");
    await eventually(() => name.inputValue(), (value) => value === "R1");
    await name.fill("load");
    await name.press("Enter");
    await page.waitForSelector('.react-flow__node[data-id="load"]');
    await save(page);
    const text = await studio.read("Circuit.mo");
    assert.match(text, /connect\(source\.p, load\.p\)/);
    assert.match(text, /connect\(load\.n, C1\.p\)/);
    assert.doesNotMatch(text, /R1/);
  });
});

test("scenario 19: a class is found by its description", async () => {
  const { page, context } = await openPage(studio);
  await page.getByLabel("Search the libraries").fill("linear capacitor");
  await page.waitForSelector('.hit:has-text("Capacitor")');
  await context.close();
});

test("scenario 47: line ends, a byte order mark and names in quotes stay", async () => {
  const original = await studio.read("umlaut.mo");
  const { page, context } = await openPage(studio);
  await openFile(page, "umlaut.mo");
  await page.locator(".cm-line").nth(1).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" // 𝛽");
  await save(page);
  assert.equal(await studio.read("umlaut.mo"),
    original.replace("fixed = true);\r\n", "fixed = true); // 𝛽\r\n"));
  await context.close();
});
