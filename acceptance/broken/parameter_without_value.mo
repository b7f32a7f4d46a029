model ParameterWithoutValue
  parameter Real k;
  Real x;
equation
  x = 2*k;
end ParameterWithoutValue;
