model SqrtInDerivative "x reaches 0 at t = 2 - 0.2*log(11) = 1.52 s"
  Real x(start = 1, fixed = true);
equation
  der(x) = -sqrt(x) - 0.1;
  annotation(experiment(StopTime = 5));
end SqrtInDerivative;
