model DivisionByZero
  parameter Real gap = 0;
  Real x;
equation
  x = 1/gap;
end DivisionByZero;
