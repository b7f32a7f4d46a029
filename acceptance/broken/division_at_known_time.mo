model DivisionAtKnownTime
  Real x;
equation
  x = 1/(0.5 - time);
  annotation(experiment(Interval = 0.125));
end DivisionAtKnownTime;
