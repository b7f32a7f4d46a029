model Resistor
  parameter Real resistance = 1;
  Real v;
equation
  v = resistance*time;
end Resistor;

model UnknownModifier
  Resistor r(resistanse = 2);
end UnknownModifier;
