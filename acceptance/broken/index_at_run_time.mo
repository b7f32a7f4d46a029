model IndexAtRunTime
  constant Real a[3] = {1, 2, 3};
  Real x;
equation
  x = a[integer(4*time) + 1];
  annotation(experiment(Interval = 0.25));
end IndexAtRunTime;
