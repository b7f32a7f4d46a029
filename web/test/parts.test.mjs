// Parts whose presence, class or place other texts decide.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  boxOf, closeBrowser, dragBetween, eventually, openFile, openPage, part, port, save,
  startStudio,
} from "./studio.mjs";

const place = (x, y) => `annotation(Placement(transformation(origin = {${x},${y}}, extent = {{-10,-10},{10,10}})))`;

const heat = `package Heat "Parts with a port that need not be there"
  connector HeatPort "A port of heat"
    Real T(unit = "K");
    flow Real Q(unit = "W");
    annotation(Icon(graphics = {Rectangle(extent = {{-100,-100},{100,100}}, lineColor = {191,0,0}, fillColor = {191,0,0}, fillPattern = FillPattern.Solid)}));
  end HeatPort;

  model Resistor "A resistor that may be heated"
    extends Parts.TwoPin;
    parameter Boolean useHeatPort = false "True, if the heat port is there";
    parameter Integer ports = 0 "Number of further ports";
    HeatPort heatPort if useHeatPort annotation(Placement(transformation(extent = {{-10,-110},{10,-90}})));
    HeatPort spare if ports > 1 annotation(Placement(transformation(extent = {{-10,90},{10,110}})));
  equation
    v = p.i;
    annotation(Icon(graphics = {Rectangle(extent = {{-70,30},{70,-30}}, lineColor = {0,0,255})}));
  end Resistor;

  model Room "A room with a temperature"
    HeatPort wall annotation(Placement(transformation(extent = {{-10,90},{10,110}})));
  equation
    wall.T = 293;
    annotation(Icon(graphics = {Rectangle(extent = {{-80,80},{80,-80}}, lineColor = {191,0,0})}));
  end Room;
end Heat;
`;

const heated = `model Heated
  parameter Boolean grounded = false;
  Heat.Resistor R ${place(0, 40)};
  Heat.Room room ${place(0, -20)};
  Parts.Ground ground if grounded ${place(40, -20)};
end Heated;
`;

const base = `partial model Base "A source with its ground"
  Parts.Source source(V = 5) ${place(-40, 0)};
  Parts.Ground ground ${place(40, -40)};
equation
  connect(source.n, ground.p) annotation(Line(points = {{-30,0},{40,0},{40,-30}}, color = {0,0,255}));
end Base;
`;

const derived = `model Derived
  extends Base;
  Parts.Resistor R1(R = 10) ${place(-40, 40)};
end Derived;
`;

let studio;
before(async () => {
  studio = await startStudio({ files: {
    "Heat.mo": heat, "Heated.mo": heated, "Base.mo": base, "Derived.mo": derived,
  } });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** Does `work` with a file of the folder and its diagram; then restores it. */
async function withFile(name, original, work) {
  const opened = await openPage(studio);
  try {
    await openFile(opened.page, name);
    await opened.page.waitForSelector(".react-flow__node-part");
    await work(opened.page);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.context.close();
    await studio.write(name, original);
  }
}

test("scenario 13: a conditional connector appears with useHeatPort = true", async () => {
  await withFile("Heated.mo", heated, async (page) => {
    await port(page, "R", "p").waitFor();
    assert.equal(await port(page, "R", "heatPort").count(), 0);
    await part(page, "R").click();
    await page.getByLabel("useHeatPort").selectOption("true");
    await port(page, "R", "heatPort").waitFor();
    assert.equal(await port(page, "R", "spare").count(), 0);
    await dragBetween(page, port(page, "R", "heatPort"), port(page, "room", "wall"));
    await page.waitForSelector('[data-wire="R.heatPort|room.wall"]', { state: "attached" });
    await save(page);
    const text = await studio.read("Heated.mo");
    assert.match(text, /Heat\.Resistor R\(useHeatPort ?= ?true\)/);
    assert.match(text, /connect\(R\.heatPort, room\.wall\)/);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await eventually(() => port(page, "R", "heatPort").count(), (count) => count === 0);
  });
});

test("scenario 13: a condition on a number decides about a connector", async () => {
  await withFile("Heated.mo", heated, async (page) => {
    await part(page, "R").click();
    const field = page.getByLabel("ports", { exact: true });
    await field.fill("1");
    await field.press("Enter");
    await page.waitForSelector(".tab .dot");
    await field.fill("2");
    await field.press("Enter");
    await port(page, "R", "spare").waitFor();
    await field.fill("");
    await field.press("Enter");
    await eventually(() => port(page, "R", "spare").count(), (count) => count === 0);
    await eventually(() => page.locator(".tab .dot").count(), (count) => count === 0);
    assert.equal(await studio.read("Heated.mo"), heated);
  });
});

test("scenario 13: a parameter of the class decides whether a part is there", async () => {
  await withFile("Heated.mo", heated, async (page) => {
    const ground = part(page, "ground").locator(".part");
    await eventually(() => ground.getAttribute("class"), (names) => /absent/.test(names));
    await page.getByLabel("grounded").selectOption("true");
    await eventually(() => ground.getAttribute("class"), (names) => !/absent/.test(names));
    await save(page);
    assert.equal(await studio.read("Heated.mo"),
      heated.replace("grounded = false", "grounded = true"));
  });
});

const gestures = [
  { what: "moved", act: async (page) => {
    const { x, y, width, height } = await boxOf(part(page, "source"));
    await dragBetween(page, [x + width / 2, y + height / 2], [x + width / 2 + 80, y + 60]);
  } },
  { what: "moved", act: async (page) => {
    await part(page, "source").click();
    await page.keyboard.press("ArrowRight");
  } },
  { what: "rotated", act: async (page) => {
    await part(page, "source").click();
    await page.keyboard.press("r");
  } },
  { what: "removed", act: async (page) => {
    await part(page, "source").click();
    await page.keyboard.press("Delete");
  } },
];
for (const [i, { what, act }] of gestures.entries()) {
  test(`scenario 15: an inherited part is not ${what}, and says why (${i + 1})`, async () => {
    await withFile("Derived.mo", derived, async (page) => {
      const before = await boxOf(part(page, "source"));
      await act(page);
      await page.locator(".notice", { hasText:
        `source cannot be ${what} here: it is inherited from Base` }).waitFor();
      assert.deepEqual(await boxOf(part(page, "source")), before);
      assert.equal(await page.locator(".tab .dot").count(), 0);
      assert.equal(await page.locator(".notice.bad").count(), 0);
    });
  });
}

test("scenario 15: own parts move beside inherited ones, whose lines stay", async () => {
  await withFile("Derived.mo", derived, async (page) => {
    const line = page.locator('[data-wire="source.n|ground.p"] .wire-line');
    const before = await line.getAttribute("d");
    await part(page, "R1").click();
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".tab .dot");
    await save(page);
    assert.equal(await studio.read("Derived.mo"), derived.replace("{-40,40}", "{-38,40}"));
    assert.equal(await line.getAttribute("d"), before);
  });
});
