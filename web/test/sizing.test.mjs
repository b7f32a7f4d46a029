// Connectors that grow with their connections.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  closeBrowser, dragBetween, eventually, openFile, openPage, part, port, save, startStudio,
} from "./studio.mjs";

const place = (x, y) => `annotation(Placement(transformation(origin = {${x},${y}}, extent = {{-10,-10},{10,10}})))`;
const box = "annotation(Icon(graphics = {Rectangle(extent = {{-100,100},{100,-100}})}));";

const signals = `package Signals
  connector RealInput = input Real;
  connector RealOutput = output Real;

  block Step
    RealOutput y annotation(Placement(transformation(extent = {{100,-10},{120,10}})));
  equation
    y = time;
    ${box}
  end Step;

  block Sum "Sum of any number of signals"
    parameter Integer nin(min = 0) = 0 "Number of inputs" annotation(Dialog(connectorSizing = true));
    RealInput u[nin] annotation(Placement(transformation(extent = {{-120,-10},{-100,10}})));
    RealOutput y annotation(Placement(transformation(extent = {{100,-10},{120,10}})));
  equation
    y = sum(u);
    ${box}
  end Sum;
end Signals;
`;

const added = `model Added
  Signals.Step a ${place(-60, 40)};
  Signals.Step b ${place(-60, 0)};
  Signals.Step c ${place(-60, -40)};
  Signals.Sum total ${place(20, 0)};
end Added;
`;

let studio;
before(async () => {
  studio = await startStudio({ files: { "Signals.mo": signals, "Added.mo": added } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

async function connect(page, from, element) {
  await dragBetween(page, port(page, from, "y"), port(page, "total", "u"));
  await page.waitForSelector(`[data-wire="${from}.y|total.u[${element}]"]`,
    { state: "attached" });
}

function nin(page) {
  return page.getByLabel("nin", { exact: true });
}

test("scenario 16: each connection to a connector of connectorSizing makes nin grow", async () => {
  const { page, context, errors } = await openPage(studio);
  await openFile(page, "Added.mo");
  await part(page, "total").waitFor();
  for (const [i, from] of ["a", "b", "c"].entries()) await connect(page, from, i + 1);
  await part(page, "total").click();
  await eventually(() => nin(page).inputValue(), (value) => value === "3");
  await save(page);
  const text = await studio.read("Added.mo");
  assert.match(text, /Signals\.Sum total\(nin ?= ?3\) annotation/);
  for (const [i, from] of ["a", "b", "c"].entries()) {
    assert.ok(text.includes(`connect(${from}.y, total.u[${i + 1}])`), text);
  }
  await page.locator(".sheet").focus();
  for (let i = 0; i < 3; ++i) await page.keyboard.press("Control+z");
  await eventually(() => page.locator(".wire").count(), (count) => count === 0);
  await save(page);
  assert.equal(await studio.read("Added.mo"), added);
  assert.deepEqual(errors, []);
  await context.close();
});

test("scenario 16: a removed connection makes nin shrink, and others move up", async () => {
  await studio.write("Added.mo", added);
  const { page, context, errors } = await openPage(studio);
  await openFile(page, "Added.mo");
  await part(page, "total").waitFor();
  await connect(page, "a", 1);
  await connect(page, "b", 2);
  const [x, y] = await page.locator(".wire-hit").first().evaluate((path) => {
    const { x: u, y: v } = path.getPointAtLength(path.getTotalLength() * 0.2)
      .matrixTransform(path.getScreenCTM());
    return [u, v];
  });
  await page.mouse.click(x, y);
  await page.waitForSelector(".wire.selected", { state: "attached" });
  await page.locator(".sheet").press("Delete");
  await page.waitForSelector('[data-wire="b.y|total.u[1]"]', { state: "attached" });
  await part(page, "total").click();
  await eventually(() => nin(page).inputValue(), (value) => value === "1");
  await save(page);
  const text = await studio.read("Added.mo");
  assert.match(text, /total\(nin ?= ?1\)/);
  assert.doesNotMatch(text, /connect\(a\.y/);
  assert.deepEqual(errors, []);
  await context.close();
});
