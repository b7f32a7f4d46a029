// Examples of the Modelica Standard Library open with their diagrams. This is a
// sample, over all parts of the library; examples.slow.mjs opens all.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, openPage, startStudio } from "./studio.mjs";
import { closeTabs, openDiagram, skip } from "./msl.mjs";

/** Each with the number of its components, as its text has placements of them. */
const sample = {
  "Blocks.Examples.BooleanNetwork1": 27,
  "Blocks.Examples.PID_Controller": 9,
  "Clocked.Examples.SimpleControlledDrive.ClockedWith_AD_DA_Effects": 11,
  "Electrical.Analog.Examples.CauerLowPassSC": 51,
  "Electrical.Analog.Examples.ChuaCircuit": 7,
  "Electrical.Batteries.Examples.CCCV_StackRC": 9,
  "Electrical.Digital.Examples.Utilities.HalfAdder": 6,
  "Electrical.Machines.Examples.DCMachines.DCPM_CurrentControlled": 11,
  "Electrical.PowerConverters.Examples.ACAC.Dimmer_R": 14,
  "Electrical.Spice3.Examples.FourInverters": 15,
  "Fluid.Examples.PumpingSystem": 13,
  "Magnetic.FluxTubes.Examples.BasicExamples.SaturatedInductor": 8,
  "Magnetic.FundamentalWave.Examples.BasicMachines.InductionMachines.IMC_withLosses": 16,
  "Math.FastFourierTransform.Examples.RealFFT1": 0,
  "Mechanics.MultiBody.Examples.Loops.Engine1b": 17,
  "Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot": 9,
  "Mechanics.Rotational.Examples.OneWayClutchDisengaged": 7,
  "Media.Examples.MixtureGases": 0,
  "StateGraph.Examples.FirstExample_Variant3": 8,
  "Thermal.FluidHeatFlow.Examples.PumpAndValve": 13,
};

let studio;
before(async () => {
  if (!skip) studio = await startStudio();
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

test("scenario 17: examples of all parts of the library open with a diagram",
  { skip }, async () => {
    const { page, context, errors } = await openPage(studio);
    const shown = {};
    for (const name of Object.keys(sample)) {
      shown[name] = await openDiagram(page, `Modelica.${name}`);
      await closeTabs(page);
    }
    assert.deepEqual(shown, sample);
    assert.deepEqual(await page.locator(".notice.bad").allInnerTexts(), []);
    assert.deepEqual(errors, []);
    await context.close();
  });
