model DivisionByLiteralZero
  Real x;
equation
  x = 1/0;
end DivisionByLiteralZero;
