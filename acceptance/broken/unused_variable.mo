model UnusedVariable
  Real x;
  Real y;
equation
  x = 1;
end UnusedVariable;
