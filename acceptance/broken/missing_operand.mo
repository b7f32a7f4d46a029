model MissingOperand
  Real x;
equation
  x = 2*;
end MissingOperand;
