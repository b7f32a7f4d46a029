model AssignToParameter
  parameter Real k = 2;
  Real x;
equation
  x = 1;
  k = 3;
end AssignToParameter;
