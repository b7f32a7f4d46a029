// What users of other tools reported: steps that slew, loops that are none,
// chains that add delays.
package Traps
  model Demand "petercorke/bdsim issue 31: a step into a feedback loop"
    Modelica.Blocks.Sources.Step step(startTime = 1);
    Modelica.Blocks.Math.Feedback error;
    Modelica.Blocks.Math.Gain demand(k = 50);
    Modelica.Blocks.Continuous.TransferFunction plant(b = {0.5}, a = {2, 1});
  equation
    connect(step.y, error.u1);
    connect(plant.y, error.u2);
    connect(error.y, demand.u);
    connect(demand.y, plant.u);
  end Demand;

  model TwoPaths "One output of the part follows its input at once, one does not"
    model Part
      input Real u;
      output Real direct = 2*u;
      output Real stored(start = 0, fixed = true);
    equation
      der(stored) = u;
    end Part;
    Part part;
  equation
    part.u = 1 - part.stored;
  end TwoPaths;

  model Chain "pathsim/pathsim issue 251: parts in a row"
    model Link
      input Real u;
      output Real y;
      Modelica.Blocks.Math.Gain gain(k = 1.01);
    equation
      gain.u = u;
      y = gain.y;
    end Link;
    Link link[100];
    Real x(start = 0, fixed = true);
  equation
    der(x) = cos(time);
    link[1].u = x;
    for i in 2:100 loop
      link[i].u = link[i - 1].y;
    end for;
  end Chain;

  model Sampled "petercorke/bdsim issue 32: nothing but discrete blocks"
    Modelica.Blocks.Sources.Constant one(k = 1);
    Modelica.Blocks.Discrete.TransferFunction low(
      b = {0.25}, a = {1, -0.75}, samplePeriod = 0.1);
  equation
    connect(one.y, low.u);
  end Sampled;
end Traps;
