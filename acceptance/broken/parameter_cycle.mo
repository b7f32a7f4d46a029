model ParameterCycle
  parameter Real a = b + 1;
  parameter Real b = 2*a;
  Real x = a;
end ParameterCycle;
