// Two transistors amplify 0.1 V. A capacitor between two nodes has its voltage
// as a state; the nodes' voltages follow from Kirchhoff's current law, which is
// an algebraic loop at each transistor. IVP Test Set, problem TRANSAMP.
model TransistorAmplifier "Two-stage transistor amplifier"
  constant Real pi = 3.14159265358979323846;
  parameter Real Ub(unit = "V") = 6 "Supply";
  parameter Real UF(unit = "V") = 0.026 "Thermal voltage";
  parameter Real alpha = 0.99 "Collector's part of the emitter's current";
  parameter Real beta(unit = "A") = 1e-6 "Saturation current";
  parameter Real R0(unit = "Ohm") = 1000, R(unit = "Ohm") = 9000;
  parameter Real C(unit = "F") = 1e-6 "Capacitor k has k*C";
  Real Ue(unit = "V") "Input";
  Real y1(unit = "V"), y2(unit = "V", start = 3), y3(unit = "V"),
    y4(unit = "V"), y5(unit = "V", start = 3), y6(unit = "V"), y7(unit = "V"),
    y8(unit = "V") "Nodes; y8 is the output";
  Real u1(unit = "V", start = 3, fixed = true) "Across capacitor 1, y2 - y1";
  Real u2(unit = "V", start = 3, fixed = true);
  Real u3(unit = "V", start = -3, fixed = true);
  Real u4(unit = "V", start = 3, fixed = true);
  Real u5(unit = "V", start = -6, fixed = true);
  Real i1(unit = "A"), i3(unit = "A"), i5(unit = "A") "Through capacitors";
  Real g1(unit = "A"), g2(unit = "A") "Through the transistors' emitters";
equation
  Ue = 0.1*sin(200*pi*time);
  u1 = y2 - y1;
  u2 = y3;
  u3 = y5 - y4;
  u4 = y6;
  u5 = y8 - y7;
  C*der(u1) = i1;
  2*C*der(u2) = g1 - y3/R;
  3*C*der(u3) = i3;
  4*C*der(u4) = g2 - y6/R;
  5*C*der(u5) = i5;
  g1 = beta*(exp((y2 - y3)/UF) - 1);
  g2 = beta*(exp((y5 - y6)/UF) - 1);
  i1 = (y1 - Ue)/R0;
  i1 = (Ub - y2)/R - y2/R - (1 - alpha)*g1;
  i3 = (y4 - Ub)/R + alpha*g1;
  i3 = (Ub - y5)/R - y5/R - (1 - alpha)*g2;
  i5 = (y7 - Ub)/R + alpha*g2;
  i5 = -y8/R;
  annotation(experiment(StopTime = 0.2));
end TransistorAmplifier;
