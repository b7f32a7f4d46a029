// A diode that clips a sine: a nonlinear algebraic loop at every instant.
model DiodeClipper "Shockley's diode behind a resistor"
  parameter Real R(unit = "Ohm") = 1000;
  parameter Real Is(unit = "A") = 1e-12 "Saturation current";
  parameter Real Vt(unit = "V") = 0.025 "Thermal voltage";
  Real u(unit = "V") "Source";
  Real v(unit = "V", start = 0) "Across the diode";
  Real i(unit = "A") "Through both";
equation
  u = 2*sin(2*3.141592653589793*time);
  u = R*i + v;
  i = Is*(exp(v/Vt) - 1);
  annotation(experiment(StopTime = 1));
end DiodeClipper;
