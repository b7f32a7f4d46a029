model Gain "Not broken: what is wrong stands on the command line"
  parameter Real length(unit = "m") = 1;
  input Real u;
  Real x(start = 0, fixed = true);
equation
  length*der(x) = u - x;
end Gain;
