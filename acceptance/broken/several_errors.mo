model SeveralErrors
  Real x
  Real y;
  Real z = ;
equation
  x = (1;
  y = 2 +* 3;
end SeveralErrors;
