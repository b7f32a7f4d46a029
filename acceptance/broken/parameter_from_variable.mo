model ParameterFromVariable
  Real x = time;
  parameter Real k = x;
  Real y = k;
end ParameterFromVariable;
