model NoDomainAfterStart "The root is real at the start only"
  Real x(start = 1, fixed = true);
equation
  der(x) = sqrt(-time);
end NoDomainAfterStart;
