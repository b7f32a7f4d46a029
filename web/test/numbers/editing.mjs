// Typing, moving and drawing in large models.
import { openModel, openPage, part, putCaret, startStudio } from "../studio.mjs";
import { skip } from "../msl.mjs";
import { frames, keyUntil, p95 } from "./measure.mjs";

/** A model of `count` resistors in a chain, on a grid of 20 columns. */
function chain(name, type, count, lines = count - 1) {
  const parts = Array.from({ length: count }, (_, i) =>
    `  ${type} R${i}(R = 1) annotation(Placement(transformation(origin = {${
      -380 + 40 * (i % 20)},${280 - 40 * Math.floor(i / 20)}}, extent = {{-10,-10},{10,10}})));`);
  const connections = Array.from({ length: lines }, (_, i) => {
    const from = i % (count - 1);
    const to = i < count - 1 ? from + 1 : (from + 7) % count;
    return `  connect(R${from}.n, R${to}.p) annotation(Line(color = {0,0,255}));`;
  });
  return `model ${name}\n  Real extra = 1;\n${parts.join("\n")}\nequation\n${
    connections.join("\n")}\n  annotation(Diagram(coordinateSystem(extent = {{-420,-320},{420,320}})));\nend ${name};\n`;
}

const marks = () => document.querySelector(".cm-lintRange-error") !== null;
const noMarks = () => document.querySelector(".cm-lintRange-error") === null;

/** Types what is wrong and takes it back, `times` times; milliseconds until it is marked. */
async function markTimes(page, text, times) {
  const found = [];
  for (let i = 0; i < times; ++i) {
    found.push(await keyUntil(page, () => page.keyboard.type(text), marks));
    await keyUntil(page, () => [...text].reduce((before) =>
      before.then(() => page.keyboard.press("Backspace")), Promise.resolve()), noMarks);
  }
  return found;
}

export async function measureTyping({ tell, smoke }) {
  const type = skip ? "Parts.Resistor" : "Modelica.Electrical.Analog.Basic.Resistor";
  const studio = await startStudio({ files: { "Chain.mo": chain("Chain", type, 100) } });
  const { page, context } = await openPage(studio);
  await openModel(page, "Chain.mo", "Chain");
  await page.waitForSelector(".react-flow__node-part");
  const times = smoke ? 2 : 20;
  await putCaret(page, "Real extra = 1", "Real extra = 1".length);
  tell("key until what cannot be read is marked, p95", p95(await markTimes(page, " )", times)),
    "ms", 50);
  tell("key until a name that is not known is marked, p95",
    p95(await markTimes(page, "*q", times)), "ms", 500);
  await context.close();
  await studio.stop();
}

export async function measureDiagram({ tell, smoke }) {
  const [count, lines] = smoke ? [30, 40] : [300, 400];
  const studio = await startStudio({ files: {
    "Sheet.mo": chain("Sheet", "Parts.Resistor", count, lines),
  } });
  const { page, context } = await openPage(studio);
  await openModel(page, "Circuit.mo", "Circuit");
  const wire = '[data-wire="source.p|R1.p"] .wire-line';
  await part(page, "R1").click();
  const moves = [];
  for (let i = 0; i < (smoke ? 2 : 40); ++i) {
    const before = await page.locator(wire).getAttribute("d");
    moves.push(await keyUntil(page, () => page.keyboard.press(i % 2 ? "ArrowLeft" : "ArrowRight"),
      ([selector, d]) => document.querySelector(selector).getAttribute("d") !== d,
      [wire, before]));
  }
  tell("key until text and diagram agree, p95", p95(moves), "ms", 50);

  await openModel(page, "Sheet.mo", "Sheet");
  await page.locator(".react-flow__node-part").nth(count - 1).waitFor({ state: "attached" });
  const drawn = await page.locator(".wire").count();
  const box = await part(page, "R25").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const drag = await frames(page, async () => {
    for (let i = 0; i < (smoke ? 10 : 120); ++i) {
      await page.mouse.move(x + 60 * Math.sin(i / 8), y + 60 * Math.cos(i / 8));
    }
  });
  await page.mouse.up();
  tell(`pictures while dragging among ${count} parts`, drag.rate, "1/s", 55, drawn === lines);
  const zoom = await frames(page, async () => {
    for (let i = 0; i < (smoke ? 4 : 60); ++i) {
      await page.mouse.wheel(0, i % 20 < 10 ? -60 : 60);
    }
  });
  tell(`pictures while zooming among ${count} parts`, zoom.rate, "1/s", 40);
  tell("longest wait for a picture while zooming", zoom.longest, "ms", 100);
  await context.close();
  await studio.stop();
}
