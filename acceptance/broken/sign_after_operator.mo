model SignAfterOperator
  Real x;
equation
  x = 2 * -3;
end SignAfterOperator;
