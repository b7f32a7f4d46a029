connector Pin
  Real v;
  flow Real i;
end Pin;

connector Flange
  Real s;
  flow Real f;
end Flange;

model IncompatibleConnectors
  Pin p;
  Flange f;
equation
  connect(p, f);
end IncompatibleConnectors;
