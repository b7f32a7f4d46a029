model Resistor
  parameter Real resistance = 1;
  Real v;
equation
  v = resistance*time;
end Resistor;

model UnknownComponentOfPart
  Resistor r;
  Real y;
equation
  y = 2*r.voltage;
end UnknownComponentOfPart;
