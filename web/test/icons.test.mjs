// Icons of the Modelica Standard Library as the sheet draws them, compared by pixels
// with pictures that people have compared with the library's documentation. After a
// wanted change of the drawing, `ORRERY_GOLDEN=write` makes the pictures anew: look
// at each of them before it is kept. Letters are left out, for fonts differ.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import {
  boxOf, closeBrowser, eventually, openFile, openPage, part, startStudio,
} from "./studio.mjs";
import { skip } from "./msl.mjs";

const golden = new URL("golden/", import.meta.url);
const writes = process.env.ORRERY_GOLDEN === "write";

const sheets = {
  electrical: [
    "Electrical.Analog.Basic.Resistor", "Electrical.Analog.Basic.Capacitor",
    "Electrical.Analog.Basic.Inductor", "Electrical.Analog.Basic.Ground",
    "Electrical.Analog.Basic.Transformer", "Electrical.Analog.Ideal.IdealDiode",
    "Electrical.Analog.Ideal.IdealClosingSwitch", "Electrical.Analog.Sources.SineVoltage",
    "Electrical.Analog.Semiconductors.NPN", "Electrical.Analog.Sensors.VoltageSensor",
  ],
  mechanical: [
    "Mechanics.Rotational.Components.Inertia", "Mechanics.Rotational.Components.SpringDamper",
    "Mechanics.Rotational.Components.Clutch", "Mechanics.Rotational.Components.IdealGear",
    "Mechanics.Rotational.Sources.Torque", "Mechanics.Rotational.Sensors.SpeedSensor",
    "Mechanics.Translational.Components.Mass", "Mechanics.Translational.Components.Spring",
    "Mechanics.MultiBody.Joints.Revolute", "Mechanics.MultiBody.Parts.BodyBox",
  ],
  blocks: [
    "Blocks.Continuous.Integrator", "Blocks.Continuous.PID", "Blocks.Continuous.TransferFunction",
    "Blocks.Math.Gain", "Blocks.Math.Add", "Blocks.Sources.Sine", "Blocks.Sources.Step",
    "Blocks.Nonlinear.Limiter", "Blocks.Logical.Switch", "Blocks.Discrete.ZeroOrderHold",
  ],
  thermal: [
    "Thermal.HeatTransfer.Components.HeatCapacitor",
    "Thermal.HeatTransfer.Components.ThermalConductor",
    "Thermal.HeatTransfer.Sources.FixedTemperature", "Fluid.Vessels.OpenTank",
    "Fluid.Pipes.StaticPipe", "Fluid.Valves.ValveLinear", "Fluid.Machines.PrescribedPump",
    "Fluid.Sources.FixedBoundary", "StateGraph.Step", "Magnetic.FluxTubes.Basic.ElectroMagneticConverter",
  ],
  machines: [
    "Electrical.Machines.BasicMachines.DCMachines.DC_PermanentMagnet",
    "Electrical.Machines.BasicMachines.InductionMachines.IM_SquirrelCage",
    "Electrical.Polyphase.Basic.Star", "Electrical.Polyphase.Sources.SineVoltage",
    "Electrical.PowerConverters.DCDC.HBridge", "Electrical.Batteries.BatteryStacks.CellStack",
    "Electrical.Spice3.Basic.R_Resistor", "Electrical.QuasiStatic.SinglePhase.Basic.Capacitor",
    "Electrical.Digital.Gates.NandGate", "Electrical.Analog.Ideal.IdealOpAmp3Pin",
  ],
  signals: [
    "Blocks.Logical.And", "Blocks.Logical.Hysteresis", "Blocks.Tables.CombiTable1Ds",
    "Blocks.Continuous.SecondOrder", "Blocks.Routing.Multiplex2",
    "Clocked.RealSignals.Sampler.SampleClocked", "Clocked.ClockSignals.Clocks.PeriodicExactClock",
    "Mechanics.MultiBody.World", "Mechanics.MultiBody.Forces.Spring",
    "Thermal.FluidHeatFlow.Components.Pipe",
  ],
};

/** A model with ten components in two rows. */
function modelOf(name, types) {
  const parts = types.map((type, i) => {
    const at = `{${-80 + 40 * (i % 5)},${i < 5 ? 25 : -25}}`;
    return `  Modelica.${type} p${i} annotation(Placement(transformation(origin = ${at}, extent = {{-14,-14},{14,14}})));`;
  });
  return `model ${name}\n${parts.join("\n")}
  annotation(Diagram(coordinateSystem(extent = {{-100,-50},{100,50}})));
end ${name};
`;
}

let studio;
before(async () => {
  if (skip) return;
  studio = await startStudio({ files: Object.fromEntries(Object.entries(sheets)
    .map(([name, types]) => [`${name}.mo`, modelOf(name, types)])) });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** The components as a picture, with the boxes of each in it. */
async function draw(page, name, count) {
  await openFile(page, `${name}.mo`);
  await eventually(() => page.locator(".react-flow__node-part").count(),
    (now) => now === count);
  await page.getByRole("button", { name: "Fit into view" }).click();
  const places = [];
  for (let i = 0; i < count; ++i) places.push(await boxOf(part(page, `p${i}`)));
  const room = 8;
  const x = Math.floor(Math.min(...places.map((box) => box.x))) - room;
  const y = Math.floor(Math.min(...places.map((box) => box.y))) - room;
  const width = Math.ceil(Math.max(...places.map((box) => box.x + box.width))) + room - x;
  const height = Math.ceil(Math.max(...places.map((box) => box.y + box.height))) + room - y;
  // Icons come after the components; the picture is ready when it stays the same.
  let picture;
  await eventually(async () => {
    await page.evaluate(() => {
      for (const text of document.querySelectorAll(".react-flow text")) {
        text.setAttribute("visibility", "hidden");
      }
    });
    const before = picture;
    picture = await page.screenshot({ animations: "disabled", clip: { x, y, width, height } });
    return Boolean(before?.equals(picture)) && await page
      .locator(".react-flow__node-part svg").count() >= count;
  }, Boolean);
  const boxes = places.map((box) => [box.x - x, box.y - y, box.width, box.height].map(Math.round));
  return { picture, boxes };
}

/** The shares of pixels that differ between two pictures, in each box. */
async function differing(context, one, other, boxes) {
  const page = await context.newPage();
  const shares = await page.evaluate(async ([a, b, list]) => {
    const read = async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const pen = canvas.getContext("2d");
      pen.drawImage(image, 0, 0);
      return pen;
    };
    const [left, right] = [await read(a), await read(b)];
    return list.map(([x, y, width, height]) => {
      const p = left.getImageData(x, y, width, height).data;
      const q = right.getImageData(x, y, width, height).data;
      let count = 0;
      for (let i = 0; i < p.length; i += 4) {
        const far = Math.max(Math.abs(p[i] - q[i]), Math.abs(p[i + 1] - q[i + 1]),
          Math.abs(p[i + 2] - q[i + 2]));
        if (far > 64) ++count;
      }
      return count / (width * height);
    });
  }, [one.toString("base64"), other.toString("base64"), boxes]);
  await page.close();
  return shares;
}

for (const dark of [false, true]) {
  const look = dark ? "dark" : "light";
  let opened;
  for (const [name, types] of Object.entries(sheets)) {
    test(`scenario 18: icons of ${name} parts look as they did, in ${look} colours`,
      { skip }, async () => {
        opened ??= await openPage(studio, { width: 1400, height: 800, dark });
        const { page, context } = opened;
        const { picture, boxes } = await draw(page, name, types.length);
        const file = new URL(`${name}_${look}.png`, golden);
        if (writes) {
          await mkdir(golden, { recursive: true });
          await writeFile(file, picture);
          return;
        }
        const shares = await differing(context, picture, await readFile(file), boxes);
        const wrong = types.filter((_, i) => shares[i] > 0.015)
          .map((type) => `${type}: ${shares[types.indexOf(type)]} of its pixels`);
        assert.deepEqual(wrong, []);
      });
  }
}
