connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;

partial model TwoPin
  Pin p, n;
  Real v, i;
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
end TwoPin;

model Source
  extends TwoPin;
equation
  v = 12;
end Source;

model Resistor
  extends TwoPin;
  parameter Real R = 10;
equation
  v = R*i;
end Resistor;

model Capacitor
  extends TwoPin;
equation
  i = 1e-3*der(v);
end Capacitor;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model NoGround
  Source source;
  Resistor r1, r2, r3, r4;
equation
  connect(source.p, r1.p);
  connect(r1.n, r2.p);
  connect(r2.n, source.n);
  connect(r1.n, r3.p);
  connect(r3.n, r4.p);
  connect(r4.n, source.n);
end NoGround;

model NoGroundSeries
  Source source;
  Resistor r;
  Capacitor c;
equation
  connect(source.p, r.p);
  connect(r.n, c.p);
  connect(c.n, source.n);
end NoGroundSeries;

model TwoGrounds
  Source source;
  Resistor r;
  Ground g1, g2;
equation
  connect(source.p, r.p);
  connect(source.n, r.n);
  connect(source.n, g1.p);
  connect(source.p, g2.p);
end TwoGrounds;

model Supply
  extends TwoPin;
  input Real signal;
equation
  v = signal;
end Supply;

model VoltageOnCapacitor
  input Real voltage;
  Supply source(signal = voltage);
  Capacitor c;
  Ground g;
equation
  connect(source.p, c.p);
  connect(source.n, c.n);
  connect(source.n, g.p);
end VoltageOnCapacitor;
