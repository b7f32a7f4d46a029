model IirFilter "A digital high pass takes 10 Hz out of 10 Hz and 20 Hz"
  parameter Real rate(unit = "Hz") = 1000 "Samples a second";
  parameter Real edge(unit = "Hz") = 15 "Edge of the high pass";
  Real u = sin(2*Modelica.Constants.pi*10*time) +
    sin(2*Modelica.Constants.pi*20*time);
  Orrery.Blocks.Discrete.SecondOrderSections filter(samplePeriod = 1/rate,
    sections = butterworthHighPass(10, edge/rate), u = u);

  function butterworthHighPass
    "Butterworth's poles, by s = (1 - 1/z)/(1 + 1/z)/tan(pi*f)"
    input Integer n "Order, even";
    input Real f "Edge over the rate";
    output Real sections[div(n, 2), 6];
  protected
    Real w = tan(Modelica.Constants.pi*f) "The edge as the map shifts it";
    Real d "Damping, twice";
  algorithm
    for i in 1:div(n, 2) loop
      d := 2*sin((i - 0.5)*Modelica.Constants.pi/n);
      sections[i, :] := {1, -2, 1,
        1 + d*w + w^2, 2*(w^2 - 1), 1 - d*w + w^2};
    end for;
  end butterworthHighPass;

  annotation(experiment(StopTime = 1, Interval = 1e-3));
end IirFilter;
