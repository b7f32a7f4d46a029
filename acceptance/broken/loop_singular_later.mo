model LoopSingularLater "The determinant, 1 - 2*time, is zero at t = 0.5 s"
  Real x;
  Real y;
equation
  x + 2*time*y = 1;
  x + y = 2 + time;
  annotation(experiment(Interval = 0.125));
end LoopSingularLater;
