connector Voltage = input Real(unit = "V");
connector Current = output Real(unit = "A");

model Source
  Current y;
equation
  y = 1;
end Source;

model Meter
  Voltage u;
  Real x(unit = "V");
equation
  x = u;
end Meter;

model UnitMismatchConnection
  Source source;
  Meter meter;
equation
  connect(source.y, meter.u);
end UnitMismatchConnection;
