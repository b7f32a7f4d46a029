model Screened
  type Mode = enumeration(Low, High);
  parameter Integer n = 1;
  parameter Mode mode = Mode.Low;
  parameter Boolean on = false;
  parameter Real x = 0;
  output Real s = n + x;
  output Real m = if mode == Mode.High then 7 else 2;
  output Real b = if on then 3 else -1;
  annotation(experiment(StopTime = 1));
end Screened;
