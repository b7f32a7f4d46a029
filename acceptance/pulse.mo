// A pulse of 0.1 s in 40 s must not be stepped over (sundials issue 881).
model Pulse
  Real x(start = 0, fixed = true);
equation
  der(x) = if time > 20 and time < 20.1 then 10000 else 0;
  annotation(experiment(StopTime = 40));
end Pulse;
