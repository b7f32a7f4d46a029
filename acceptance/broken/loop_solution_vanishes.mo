model LoopSolutionVanishes "The two solutions meet at t = 1 s"
  Real x(start = 1);
equation
  x^2 = 1 - time;
  annotation(experiment(StopTime = 3, Interval = 0.64));
end LoopSolutionVanishes;
