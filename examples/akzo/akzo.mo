// A reactor of the chemical industry: five rates and one algebraic balance.
// IVP Test Set, problem CHEMAKZO.
model Akzo "Chemical Akzo Nobel"
  parameter Real k1 = 18.7, k2 = 0.58, k3 = 0.09, k4 = 0.42, K = 34.4;
  parameter Real klA = 3.3, Ks = 115.83, p = 0.9, H = 737;
  Real y1(start = 0.444, fixed = true);
  Real y2(start = 0.00123, fixed = true);
  Real y3(start = 0, fixed = true);
  Real y4(start = 0.007, fixed = true);
  Real y5(start = 0, fixed = true);
  Real y6 "In equilibrium with y1 and y4";
protected
  Real r1, r2, r3, r4, r5, inflow;
equation
  r1 = k1*y1^4*sqrt(y2);
  r2 = k2*y3*y4;
  r3 = k2/K*y1*y5;
  r4 = k3*y1*y4^2;
  r5 = k4*y6^2*sqrt(y2);
  inflow = klA*(p/H - y2);
  der(y1) = -2*r1 + r2 - r3 - r4;
  der(y2) = -0.5*r1 - r4 - 0.5*r5 + inflow;
  der(y3) = r1 - r2 + r3;
  der(y4) = -r2 + r3 - 2*r4;
  der(y5) = r2 - r3 + r5;
  0 = Ks*y1*y4 - y6;
  annotation(experiment(StopTime = 180));
end Akzo;
