model TooFewEquations
  Real x;
  Real y;
  Real z;
equation
  x = 1;
  y + z = 2;
end TooFewEquations;
