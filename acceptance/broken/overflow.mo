model Overflow
  Real x;
equation
  x = exp(1000*time);
  annotation(experiment(Interval = 0.125));
end Overflow;
