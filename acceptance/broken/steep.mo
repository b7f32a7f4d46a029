model Steep "No step is short enough"
  Real x(start = 1, fixed = true);
equation
  der(x) = 1e200*x;
end Steep;
