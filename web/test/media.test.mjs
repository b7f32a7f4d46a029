// Replaceable classes of a component: chosen from those that fit, with parameters.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  closeBrowser, eventually, openFile, openPage, part, save, startStudio,
} from "./studio.mjs";

const place = (x, y) => `annotation(Placement(transformation(origin = {${x},${y}}, extent = {{-10,-10},{10,10}})))`;

const media = `package Media "Media and what flows"
  package Interfaces
    partial package PartialMedium "What every medium has"
      constant String mediumName = "unknown" "Name of the medium";
      constant Real reference_T(unit = "K") = 298.15 "Reference temperature";
    end PartialMedium;
    partial model PartialLoss
    end PartialLoss;
  end Interfaces;

  package Water "Liquid water"
    extends Interfaces.PartialMedium(mediumName = "water");
    constant Real density(unit = "kg/m3") = 1000 "Density";
  end Water;

  package Air "Dry air"
    extends Interfaces.PartialMedium(mediumName = "air");
    constant Real R_gas(unit = "J/(kg.K)") = 287 "Gas constant";
  end Air;

  package MoistAir "Air with vapour"
    extends Air;
  end MoistAir;

  package Steel "No medium"
  end Steel;

  model NoLoss "No loss of pressure"
    extends Interfaces.PartialLoss;
  end NoLoss;

  model Quadratic "Loss with the square of the flow"
    extends Interfaces.PartialLoss;
    parameter Real zeta = 1 "Coefficient";
  end Quadratic;

  model Pipe "A pipe"
    replaceable package Medium = Water constrainedby Interfaces.PartialMedium "What flows" annotation(choicesAllMatching = true);
    replaceable model Loss = NoLoss constrainedby Interfaces.PartialLoss;
    parameter Real length(unit = "m") = 1 "Length";
    Loss loss;
    annotation(Icon(graphics = {Rectangle(extent = {{-80,30},{80,-30}})}));
  end Pipe;
end Media;
`;

const plant = `model Plant
  // The pipe comes first.
  Media.Pipe pipe(length = 3) ${place(0, 0)}; // after it
end Plant;
`;

let studio;
before(async () => {
  studio = await startStudio({ files: { "Media.mo": media, "Plant.mo": plant } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** Does `work` with the plant, its pipe selected; then restores its text. */
async function withPipe(work) {
  const opened = await openPage(studio);
  const { page } = opened;
  try {
    await openFile(page, "Plant.mo");
    await page.waitForSelector(".react-flow__node-part");
    await part(page, "pipe").click();
    await page.getByLabel("Medium", { exact: true }).waitFor();
    await work(page);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.context.close();
    await studio.write("Plant.mo", plant);
  }
}

function options(page, name) {
  return page.getByLabel(name, { exact: true }).locator("option").allInnerTexts();
}

async function choose(page, name, text) {
  await eventually(() => options(page, name), (found) => found.includes(text));
  await page.getByLabel(name, { exact: true }).selectOption({ label: text });
}

async function written(page, expected) {
  await page.waitForSelector(".tab .dot");
  await save(page);
  assert.equal(await studio.read("Plant.mo"), plant.replace("pipe(length = 3)", expected));
}

test("scenario 14: only media that fit are offered, the default first", async () => {
  await withPipe(async (page) => {
    await eventually(() => options(page, "Medium"), (found) => found.length > 1);
    assert.deepEqual(await options(page, "Medium"),
      ["Water (default)", "Air", "MoistAir", "Water"]);
    assert.deepEqual(await options(page, "Loss"), ["NoLoss (default)", "NoLoss", "Quadratic"]);
  });
});

test("scenario 14: a medium is chosen, and its parameters show and can be set", async () => {
  await withPipe(async (page) => {
    await page.getByLabel("density", { exact: true }).waitFor();
    await choose(page, "Medium", "Air");
    const gas = page.getByLabel("R_gas", { exact: true });
    await gas.waitFor();
    assert.equal(await page.getByLabel("density", { exact: true }).count(), 0);
    assert.equal(await gas.getAttribute("placeholder"), "287");
    await written(page, "pipe(length = 3, redeclare package Medium = Media.Air)");
    await gas.fill("290");
    await gas.press("Enter");
    await written(page, "pipe(length = 3, redeclare package Medium = Media.Air(R_gas=290))");
    await eventually(() => gas.inputValue(), (value) => value === "290");
    await gas.fill("");
    await gas.press("Enter");
    await written(page, "pipe(length = 3, redeclare package Medium = Media.Air)");
  });
});

test("scenario 14: another choice takes the place of the first, and the default leaves nothing", async () => {
  await withPipe(async (page) => {
    await choose(page, "Loss", "Quadratic");
    await page.getByLabel("zeta", { exact: true }).waitFor();
    await written(page, "pipe(length = 3, redeclare model Loss = Media.Quadratic)");
    await choose(page, "Medium", "Air");
    await page.getByLabel("R_gas", { exact: true }).waitFor();
    await choose(page, "Medium", "MoistAir");
    await written(page, "pipe(length = 3, redeclare model Loss = Media.Quadratic, redeclare package Medium = Media.MoistAir)");
    await choose(page, "Loss", "NoLoss (default)");
    await eventually(() => page.getByLabel("zeta", { exact: true }).count(), (n) => n === 0);
    await choose(page, "Medium", "Water (default)");
    await page.getByLabel("density", { exact: true }).waitFor();
    await eventually(() => page.locator(".cm-content").innerText(), (text) => !text.includes("redeclare"));
    await save(page);
    assert.equal(await studio.read("Plant.mo"), plant);
  });
});
