// The library: search, and classes that are opened.
import { openPage, startStudio } from "../studio.mjs";
import { closeTabs, openDiagram, skip } from "../msl.mjs";
import { p95, requests, timed } from "./measure.mjs";

const words = [
  "pid", "resistor", "linear capacitor", "pump", "heat", "sine", "gear", "valve", "clock",
  "medium", "motor", "spring damper", "sensor", "logic", "tank", "body",
];
const classes = [
  "Electrical.Analog.Examples.CauerLowPassAnalog", "Blocks.Examples.PID_Controller",
  "Mechanics.Rotational.Examples.CoupledClutches", "Mechanics.MultiBody.Examples.Elementary.Pendulum",
  "Fluid.Examples.PumpingSystem", "Thermal.FluidHeatFlow.Examples.PumpAndValve",
  "Electrical.Machines.Examples.DCMachines.DCPM_Start", "Clocked.Examples.SimpleControlledDrive.Continuous",
  "StateGraph.Examples.ControlledTanks", "Magnetic.FluxTubes.Examples.BasicExamples.SaturatedInductor",
];

export async function measureLibrary({ tell, smoke }) {
  if (skip) {
    console.error(`the numbers of the library are left out: ${skip}`);
    return;
  }
  const studio = await startStudio();
  const { page, context } = await openPage(studio);
  const paths = words.slice(0, smoke ? 2 : words.length)
    .map((word) => `/api/search?q=${encodeURIComponent(word)}`);
  await requests(page, paths.slice(0, 1));
  const found = await requests(page, paths);
  tell("search among all classes, p95", p95(found.map(({ ms }) => ms)), "ms", 30,
    found.every(({ ok, length }) => ok && length > 100));
  const times = [];
  for (const name of classes.slice(0, smoke ? 2 : classes.length)) {
    let parts = 0;
    times.push(await timed(async () => {
      parts = await openDiagram(page, `Modelica.${name}`);
    }));
    if (parts === 0) times.push(NaN);
    await closeTabs(page);
  }
  const [cold, ...warm] = times;
  tell("name typed until the first class of the library is drawn", cold, "ms", 1000);
  tell("name typed until a class of the library is drawn, p95", p95(warm), "ms", 150);
  await context.close();
  await studio.stop();
}
