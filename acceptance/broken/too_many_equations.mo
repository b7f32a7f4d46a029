model TooManyEquations
  Real x;
equation
  x = 1;
  x = time;
end TooManyEquations;
