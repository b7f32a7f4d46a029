model SqrtAtKnownTime "The root's argument is negative after t = 0.875 s"
  Real x(start = 3, fixed = true);
  Real speed;
equation
  der(x) = -4;
  speed = sqrt(x + 0.5);
  annotation(experiment(Interval = 0.125));
end SqrtAtKnownTime;
