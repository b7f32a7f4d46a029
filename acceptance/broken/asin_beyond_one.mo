model AsinBeyondOne
  Real x;
equation
  x = asin(2*time);
  annotation(experiment(Interval = 0.25));
end AsinBeyondOne;
